import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const script = fileURLToPath(new URL('../.ci/run', import.meta.url));

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-ci-run-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, lines: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
}

/** What it would install is there already, and `npm` says what each suite is to say. */
function ciRun(short: string, long: string) {
  const bin = join(folder, 'bin');
  const there = [
    'chromium',
    'gst-launch-1.0',
    'linux.uml',
    'ffprobe',
    'turnserver',
    'janus',
    'janus-pp-rec',
    'influxd',
    'nats-server',
    'prometheus',
    'prometheus-node-exporter',
  ];
  for (const name of there) program(join(bin, name), 'exit 0');
  program(join(folder, 'cache/loadline-tests/aiortc/bin/python3'), 'exit 0');
  program(join(folder, 'cache/loadline-tests/otlp/bin/python3'), 'exit 0');
  program(join(folder, 'cache/loadline-tests/vmaf/bin/ffmpeg'), 'exit 0');
  program(join(folder, 'cache/loadline-tests/livekit/bin/server'), 'exit 0');
  program(join(folder, 'cache/loadline-tests/gstreamer/whip-client'), 'exit 0');
  program(join(bin, 'npm'), `case $3 in test) ${short} ;; test:long) ${long} ;; *) exit 9 ;; esac`);
  cpSync(script, join(folder, '.ci/run'));
  const ended = spawnSync(join(folder, '.ci/run'), [], {
    env: { ...env, PATH: `${bin}:${env.PATH}`, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  return { exitCode: ended.status, last: ended.stdout.toString().trimEnd().split('\n').at(-1) };
}

test('the last line of both suites together is the sum of theirs, and all passed is exit 0', () => {
  const ended = ciRun('echo 5 passed, 0 failed, 1 skipped', 'echo 30 passed, 0 failed, 2 skipped');
  expect(ended).toEqual({ exitCode: 0, last: '35 passed, 0 failed, 3 skipped' });
});

test('a failure in the short suite is a failure of both, and the long one runs all the same', () => {
  const ended = ciRun('echo 5 passed, 2 failed, 0 skipped; exit 1', 'echo 30 passed, 0 failed, 0 skipped');
  expect(ended).toEqual({ exitCode: 1, last: '35 passed, 2 failed, 0 skipped' });
});

test('a suite that ends without its last line, or with an error it counted nothing for, is one failure', () => {
  expect(ciRun('echo 5 passed, 0 failed, 0 skipped', 'echo torn; exit 1')).toEqual({
    exitCode: 1,
    last: '5 passed, 1 failed, 0 skipped',
  });
  expect(ciRun('echo 5 passed, 0 failed, 0 skipped; exit 1', 'echo 1 passed, 0 failed, 0 skipped')).toEqual({
    exitCode: 1,
    last: '6 passed, 1 failed, 0 skipped',
  });
});
