import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { long } from './effort.js';
import { isInstalled } from './installed.js';
import { once } from './once.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const anybody = 1000;
const canMount = once(
  () => process.getuid?.() === 0 && isInstalled(['setpriv']) && spawnSync('unshare', ['--mount', 'true']).status === 0,
);

let folder: string;
test.beforeEach(() => {
  test.skip(!canMount(), 'needs root, for a mount of its own (unshare, setpriv)');
  folder = mkdtempSync(join(tmpdir(), 'loadline-read-only-'));
  chmodSync(folder, 0o755);
  for (const name of ['opt', 'cache', 'runs', 'tmp', 'etc']) mkdirSync(join(folder, name));
  for (const name of ['cache', 'runs', 'tmp']) chownSync(join(folder, name), anybody, anybody);
});
test.afterEach(() => {
  if (canMount()) rmSync(folder, { recursive: true, force: true });
});

/** As in the image: by user 1000 without a right, from a tree that nobody writes to, with the image's environment. */
function inTheImage(args: readonly string[]) {
  const place = (name: string) => join(folder, name);
  const script = [
    `mount --bind ${root} ${place('opt')}`,
    `mount -o remount,bind,ro ${place('opt')}`,
    `cd ${place('runs')}`,
    `exec setpriv --reuid ${anybody} --regid ${anybody} --clear-groups --no-new-privs --bounding-set=-all -- "$@"`,
  ].join(' && ');
  const program = [process.execPath, join(place('opt'), 'dist/loadline.js'), ...args];
  const env = {
    PATH: process.env.PATH,
    LOADLINE_NO_SETUP: '1',
    NODE_ENV: 'production',
    HOME: place('tmp'),
    TMPDIR: place('tmp'),
    XDG_CACHE_HOME: place('cache'),
    XDG_STATE_HOME: place('cache'),
  };
  const ended = spawnSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...program], { env });
  return { exitCode: ended.status, stdout: ended.stdout.toString(), stderr: ended.stderr.toString() };
}

test(
  'what the CronJob runs works without rights in a tree that is read-only, and writes its runs where its volume is',
  long,
  () => {
    const job = parse(readFileSync(join(root, 'docker/loadline-monitor-cronjob.yaml'), 'utf8'));
    const [container] = job.spec.jobTemplate.spec.template.spec.containers;
    const watch = '  - { name: a, cron: "* * * * *", size: 2, simulate: one-to-one --capacity 3 }';
    writeFileSync(join(folder, 'etc/monitor.yaml'), `watches:\n${watch}\n`);
    const places: Readonly<Record<string, string>> = {
      '/etc/loadline/monitor.yaml': join(folder, 'etc/monitor.yaml'),
      '/var/lib/loadline': join(folder, 'runs'),
    };
    const args = container.args.map((word: string) => places[word] ?? word);
    const { exitCode, stdout, stderr } = inTheImage(args);
    expect(`${exitCode} ${stderr}`).toBe('0 ');
    expect(stdout).toContain('a  stable');
    expect(readdirSync(join(folder, 'runs')).filter((name) => name.includes('one-to-one'))).toHaveLength(1);
  },
);

test('a tree that is read-only is so in this test, too', () => {
  const { exitCode, stdout } = inTheImage([
    'simulate',
    'one-to-one',
    '--capacity',
    '3',
    '--out',
    join(folder, 'opt/runs'),
  ]);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
});
