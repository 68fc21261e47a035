import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { runLoadline } from '../tests/cli/run-loadline.js';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const read = (name: string) => readFileSync(pathOf(name), 'utf8');
const manifests = 'kubernetes/hosts';

const container = z.object({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string() }).loose()).default([]),
  resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() }).loose()),
});
const pod = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z
    .object({
      securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.number().positive() }).loose(),
      automountServiceAccountToken: z.literal(false),
      containers: z.tuple([container]),
      volumes: z.array(z.object({ name: z.string() }).loose()),
    })
    .loose(),
});
const workload = z.object({
  kind: z.enum(['StatefulSet', 'Job']),
  metadata: z.object({ name: z.string() }),
  spec: z
    .object({
      selector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional(),
      template: pod,
      volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })).default([]),
    })
    .loose(),
});

const documents = readdirSync(pathOf(manifests))
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`${manifests}/${name}`)).map((one) => one.toJS() as { kind: string }));
const workloads = documents.flatMap((one) => {
  const found = workload.safeParse(one);
  return ['StatefulSet', 'Job'].includes(one.kind) ? [found.success ? found.data : workload.parse(one)] : [];
});

async function assertFlagsAreKnown([command = '', ...args]: readonly string[]): Promise<void> {
  const { stdout } = await runLoadline(['help', command, '--all']);
  const flags = args.filter((word) => word.startsWith('--'));
  expect(flags.length).toBeGreaterThan(0);
  for (const flag of flags) expect(stdout).toMatch(new RegExp(`^ +${flag} `, 'm'));
}

test('hosts in a cluster run as nobody special, on a root that nobody writes to, with what they were calibrated with', () => {
  expect(workloads.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'StatefulSet loadline-bus',
    'Job loadline-run',
    'StatefulSet loadline-host',
  ]);
  for (const { metadata, spec } of workloads) {
    const [one] = spec.template.spec.containers;
    expect(one.securityContext, metadata.name).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    if (spec.selector) expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const volumes = [...spec.template.spec.volumes, ...spec.volumeClaimTemplates.map((claim) => claim.metadata)];
    expect(new Set(one.volumeMounts.map(({ name }) => name))).toEqual(new Set(volumes.map(({ name }) => name)));
    expect(one.image).toMatch(/:\d+\.\d+\.\d+$/);
    for (const variable of one.env) if (/PASSWORD/.test(variable.name)) expect(variable).toHaveProperty('valueFrom');
  }
  const host = workloads.find(({ metadata }) => metadata.name === 'loadline-host');
  const [{ resources, args }] = host?.spec.template.spec.containers ?? [container.parse({})];
  expect(resources.limits).toEqual(resources.requests);
  const drainS = 60 * Number(/^(\d+)m$/.exec(args[args.indexOf('--drain') + 1] ?? '')?.[1]);
  expect(host?.spec.template.spec).toMatchObject({
    topologySpreadConstraints: [{ topologyKey: 'kubernetes.io/hostname' }],
  });
  expect(Number(host?.spec.template.spec.terminationGracePeriodSeconds)).toBeGreaterThan(drainS + 15);
});

test('a run and its hosts are called in a cluster as their help says', async () => {
  const loadlines = workloads.filter(({ metadata }) => metadata.name !== 'loadline-bus');
  for (const { spec } of loadlines) await assertFlagsAreKnown(spec.template.spec.containers[0].args);
});

test('the bus of a cluster lets in hosts and conductors, hosts nobody, and what hosts may reach is what they are allowed', () => {
  const policies = documents.filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policies).toMatchObject([
    { metadata: { name: 'loadline-bus' }, spec: { policyTypes: ['Ingress', 'Egress'] } },
    { metadata: { name: 'loadline-host' }, spec: { policyTypes: ['Ingress', 'Egress'] } },
    { metadata: { name: 'loadline-conductor' }, spec: { policyTypes: ['Ingress', 'Egress'] } },
  ]);
  const [, host] = policies as unknown as { readonly spec: Readonly<Record<string, unknown>> }[];
  expect(host?.spec).not.toHaveProperty('ingress');
  const [, allowed] = /allow=(\S+)/.exec(read(`${manifests}/kustomization.yaml`)) ?? [];
  expect(JSON.stringify(host?.spec.egress)).toContain(JSON.stringify({ cidr: allowed }));
});

test('kustomize makes of them what the published schemas of Kubernetes allow', () => {
  test.skip(spawnSync('kubectl', ['version', '--client']).status !== 0, 'there is no kubectl');
  const made = spawnSync('kubectl', ['kustomize', pathOf(manifests)], { encoding: 'utf8' });
  expect(made.stderr).toBe('');
  const objects = parseAllDocuments(made.stdout).map((one) => one.toJS() as { kind: string });
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'ConfigMap',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'Service',
    'Service',
    'StatefulSet',
    'StatefulSet',
  ]);
  const validate = ['-c', 'import kubernetes_validate'];
  test.skip(spawnSync('python3', validate).status !== 0, 'there is no kubernetes-validate (pip install)');
  const folder = mkdtempSync(join(tmpdir(), 'loadline-manifests-'));
  try {
    const file = join(folder, 'all.yaml');
    writeFileSync(file, made.stdout);
    const checked = spawnSync('kubernetes-validate', ['--strict', file], { encoding: 'utf8' });
    expect(`${checked.status} ${checked.stdout}${checked.stderr}`).toMatch(/^0 /);
    writeFileSync(file, made.stdout.replace('replicas:', 'replicass:'));
    expect(spawnSync('kubernetes-validate', ['--strict', file]).status).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the compose file starts hosts as their help says, with time to finish a trial, and no bus without passwords', async () => {
  const { services } = parse(read('compose.hosts.yaml'));
  await assertFlagsAreKnown(services.host.command);
  expect(Number.parseInt(services.host.stop_grace_period, 10)).toBeGreaterThan(5 * 60 + 15);
  for (const name of ['LOADLINE_CONDUCTOR_PASSWORD', 'LOADLINE_HOST_PASSWORD']) {
    expect(services.nats.environment[name]).toContain(':?');
    expect(read('nats/bus.conf')).toContain(`password: $${name}`);
  }
  expect(services.host.environment.LOADLINE_BUS_PASSWORD).toBe(services.nats.environment.LOADLINE_HOST_PASSWORD);
  expect(services.host).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
});

test('the unit of a host calls it as its help says, is no root, and gives a trial time to end', async () => {
  const unit = read('loadline-host.service');
  const [, command = ''] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? [];
  await assertFlagsAreKnown(command.split(' '));
  expect(unit).toMatch(/^User=loadline$/m);
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(5 * 60 + 15);
  for (const line of ['StateDirectory=loadline', 'CacheDirectory=loadline', 'NoNewPrivileges=true']) {
    expect(unit.split('\n')).toContain(line);
  }
});

test('the unit of a host is one that systemd reads without a complaint', () => {
  test.skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'there is no systemd-analyze');
  const folder = mkdtempSync(join(tmpdir(), 'loadline-unit-'));
  try {
    const file = join(folder, 'loadline-host.service');
    const here = read('loadline-host.service')
      .replace('/opt/loadline/loadline', pathOf('../loadline'))
      .replace('User=loadline', 'User=daemon');
    const verify = (text: string) => {
      writeFileSync(file, text);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      return { status, complaints: stderr.split('\n').filter((line) => line.includes('loadline-host.service')) };
    };
    expect(verify(here)).toEqual({ status: 0, complaints: [] });
    expect(verify(here.replace('ProtectClock', 'ProtectClocks')).complaints).not.toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
