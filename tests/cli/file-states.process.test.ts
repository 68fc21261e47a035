import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { long } from '../effort.js';
import { runHere, runHereIn } from './run-here.js';
import { builtLoadline, type Ended } from './run-loadline.js';

/** Every folder that the tool writes to, in every state that a file system can have it in. */

let folder: string;
let run: string;
let chromium: string;

/**
 * Those that are not `always` tried are for the folder of runs alone. `make` brings a path into its state; false where
 * this user may not. What is mounted is unmounted by the test's end.
 */
const states: readonly {
  readonly name: string;
  readonly always?: boolean;
  readonly make: (path: string) => boolean;
}[] = [
  { name: 'missing', make: () => true },
  { name: 'a file', always: true, make: (path) => written(path) },
  { name: 'below a file', make: (path) => writtenAbove(path) },
  { name: 'read-only', always: true, make: (path) => mounted(path, 'ro') },
  { name: 'full', always: true, make: (path) => mounted(path, 'size=4k') && filled(path) },
  { name: 'full after a few writes', make: (path) => mounted(path, 'size=24k') },
];

const simulated = ['simulate', 'one-to-one', '--capacity', '1', '--max', '2'];

/** What writes where: the arguments and the environment for a path in some state. */
const writers: readonly {
  readonly what: string;
  readonly args: (path: string) => readonly string[];
  readonly env?: (path: string) => Readonly<Record<string, string>>;
}[] = [
  { what: 'the folder of runs', args: (path) => [...simulated, '--out', path] },
  { what: 'an HTML report', args: (path) => ['report', run, '--out', join(path, 'report.html')] },
  { what: 'a CSV report', args: (path) => ['report', run, '--format', 'csv', '--out', join(path, 'all.csv')] },
  { what: 'a JUnit report', args: (path) => ['report', run, '--format', 'junit', '--out', path] },
  {
    what: 'the folder of a monitor',
    args: (path) => ['monitor', join(folder, 'monitor.yaml'), '--once', '--out', path],
  },
  {
    what: 'the page of a monitor',
    args: (path) => ['monitor', 'report', '--out', folder, '--html', join(path, 'a.html')],
  },
  // Where these refuse, clips go among the temporary files: those of this test.
  { what: 'the cache', args: () => unanswered(), env: (path) => ({ XDG_CACHE_HOME: path, TMPDIR: folder }) },
  {
    what: 'the home',
    args: () => unanswered(),
    env: (path) => ({ HOME: path, XDG_CACHE_HOME: '', XDG_STATE_HOME: '', TMPDIR: folder }),
  },
  {
    what: 'the temporary folder',
    args: () => unanswered(),
    env: (path) => ({ TMPDIR: path, XDG_CACHE_HOME: join(folder, 'cache') }),
  },
  {
    what: 'cache and temporary folder',
    args: () => unanswered(),
    env: (path) => ({ TMPDIR: path, XDG_CACHE_HOME: path }),
  },
  {
    what: 'the state',
    args: () => ['calibrate', '--chromium', join(folder, 'none')],
    env: (path) => ({ XDG_STATE_HOME: path }),
  },
];

/** A search as far as its server, which is not there. */
function unanswered(): readonly string[] {
  return [
    'find',
    'one-to-one',
    '--chromium',
    chromium,
    '--out',
    join(folder, 'runs'),
    '--server',
    'kurento://127.0.0.1:9',
  ];
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-files-'));
  chromium = join(folder, 'chromium');
  writeFileSync(chromium, '#!/bin/sh\necho "Chromium 150.0.0.0"\n', { mode: 0o755 });
  const watch = '  - { name: a, cron: "* * * * *", size: 2, simulate: one-to-one --capacity 3 }';
  writeFileSync(join(folder, 'monitor.yaml'), `watches:\n${watch}\n`);
  expect((await runHere([...simulated, '--out', join(folder, 'stored')])).exitCode).toBe(0);
  run = join(folder, 'stored', readdirSync(join(folder, 'stored'))[0] ?? '');
});
test.afterAll(() => {
  for (const { what } of writers) for (const { name } of states) spawnSync('umount', [pathFor(what, name)]);
  rmSync(folder, { recursive: true, force: true });
});

for (const { what, args, env } of writers) {
  test(`${what} may be in any state: the command works, or ends in one clear error`, async () => {
    test.slow();
    for (const { name, make } of states.filter((one) => one.always === true || what === writers[0]?.what)) {
      const path = pathFor(what, name);
      mkdirSync(join(path, '..'), { recursive: true });
      if (!make(path)) continue;
      // A monitor starts the tool again for each of its runs.
      const ended = env ? runHereIn(env(path), args(path)) : runHere(args(path), { selfCommand: builtLoadline });
      expectNoFailure(await ended, name);
    }
  });
}

test('a cache that cannot be written does not keep a run from starting: clips go among the temporary files', async () => {
  const home = join(folder, 'home');
  writeFileSync(home, '');
  const ended = await runHereIn({ HOME: home, XDG_CACHE_HOME: '', TMPDIR: folder }, unanswered());
  expect(ended.stderr).toContain('error E_SERVER_UNREACHABLE');
});

test('where no folder takes the clips, the error names both folders that refused and the variables that name others', async () => {
  const none = join(folder, 'none');
  writeFileSync(none, '');
  const ended = await runHereIn({ XDG_CACHE_HOME: none, TMPDIR: none }, unanswered());
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain('error E_FOLDER');
  expect(ended.stderr).toContain('TMPDIR');
});

test('a full disk behind standard output is one error with exit 1, not a crash', long, async () => {
  const full = openSync('/dev/full', 'w');
  const commands = [
    ['plan', 'one-to-one'],
    ['report', run, '--format', 'json'],
    [...simulated, '--out', folder],
  ];
  const all = await Promise.all(commands.map((args) => saidWithoutOutput(args, full)));
  for (const [nth, { exitCode, stderr }] of all.entries()) {
    expectNoFailure({ exitCode, stdout: '', stderr }, commands[nth]?.join(' ') ?? '');
    expect(stderr).toContain('error E_DISK_FULL');
    expect(exitCode).toBe(1);
  }
  closeSync(full);
});

/** In a process of its own, whose standard output is this file. */
function saidWithoutOutput(args: readonly string[], stdout: number): Promise<Omit<Ended, 'stdout'>> {
  const [node = '', ...script] = builtLoadline;
  const child = spawn(node, [...script, ...args], { stdio: ['ignore', stdout, 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}

function expectNoFailure({ exitCode, stderr }: Ended, state: string): void {
  expect(stderr, state).not.toContain('E_INTERNAL');
  expect(stderr, state).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  if (exitCode === 1 || exitCode === 2) expect(stderr.match(/^error E_/gm), `${state}: ${stderr}`).toHaveLength(1);
  if (exitCode === 1 || exitCode === 2) expect(stderr, state).toMatch(/^ {4}do {6}\S/m);
  expect([0, 1, 2, 3, 4], `${state}: ${stderr}`).toContain(exitCode);
}

function pathFor(what: string, state: string): string {
  return join(folder, `${what} ${state}`.replaceAll(' ', '-'), 'here');
}

function written(path: string): boolean {
  writeFileSync(path, '');
  return true;
}

function writtenAbove(path: string): boolean {
  const above = join(path, '..');
  rmSync(above, { recursive: true });
  return written(above);
}

function mounted(path: string, options: string): boolean {
  mkdirSync(path);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status === 0;
}

function filled(path: string): boolean {
  spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'filler')}`, 'bs=4k', 'count=4']);
  return true;
}
