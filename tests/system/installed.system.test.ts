import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { readRun } from '../../store/run-directory/read-run.js';
import { hasPrometheus, openPrometheus } from '../prometheus-server.js';
import { storedValues, valuesIn } from '../prometheus-values.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the packed package, installed from the registry into an empty home, carries a call and reports it, and where there is a Prometheus it has the series', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-installed-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  // What npm and Chromium need of the machine, and nothing that tells of this clone.
  const { PATH = '', NODE_EXTRA_CA_CERTS, LOADLINE_CHROMIUM } = process.env;
  const env = {
    PATH: `${join(folder, 'bin')}:${PATH}`,
    HOME: home,
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
    ...(LOADLINE_CHROMIUM === undefined ? {} : { LOADLINE_CHROMIUM }),
  };
  const prometheus = hasPrometheus ? await openPrometheus() : undefined;
  try {
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
    const install = ['install', '--global', '--no-audit', '--no-fund', '--prefix', folder, join(folder, name)];
    const installed = spawnSync('npm', install, { cwd: home, env, encoding: 'utf8', timeout: 120_000 });
    test.skip(/ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(installed.stderr), 'no npm registry can be reached from here');
    expect({ status: installed.status, stderr: installed.status === 0 ? '' : installed.stderr }).toEqual({
      status: 0,
      stderr: '',
    });
    const copied = prometheus === undefined ? [] : ['--prometheus-remote-write', prometheus.address];
    const args = ['try', 'one-to-one', '--size', '1', '--settle', '5s', '--measure', '10s'];
    const tried = spawnSync('loadline', [...args, ...copied, '--quiet'], {
      cwd: home,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(tried.stderr).not.toContain('error ');
    expect(tried.stdout).toContain('1 call (2 probes): stable');
    expect(tried.status).toBe(0);
    const [stored = ''] = readdirSync(join(home, 'runs'));
    expect(existsSync(join(home, 'runs', stored, 'report.html'))).toBe(true);
    if (prometheus === undefined) return;
    const run = await readRun(join(home, 'runs', stored));
    const expected = await storedValues(run, false);
    expect(expected.length).toBeGreaterThan(1000);
    expect((await valuesIn(prometheus, run)).join('\n')).toBe(expected.join('\n'));
  } finally {
    await prometheus?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
