import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childEnvironment } from './child-environment.js';
import { softLimit, unprivilegedWords, whyPrivileged } from './unprivileged.js';

const isRoot = process.getuid?.() === 0;
const bounds = { cpuSeconds: 5, memoryBytes: 400 << 20 };

test('a program that parses what others send is not root, gets no right back, and sees no variable but those it needs', async () => {
  const words = await unprivilegedWords(bounds);
  test.skip(words.length === 0, 'setpriv (util-linux) is not here');
  const marked = {
    ...process.env,
    DATABASE_URL: 'marker',
    AWS_ACCESS_KEY_ID: 'marker',
    LOADLINE_WHIP_HEADER: 'marker',
  };
  const [program = '', ...rest] = [...words, '/bin/sh', '-c', 'id -u; grep NoNewPrivs /proc/self/status; env'];
  const said = execFileSync(program, rest, { cwd: '/', env: childEnvironment({}, marked) }).toString();
  const [uid, privileges] = said.split('\n');
  if (isRoot) expect(uid).not.toBe('0');
  expect(privileges).toMatch(/NoNewPrivs:\s*1/);
  expect(said).not.toContain('marker');
});

test('own bounds are read of what the kernel says, and none are without end', () => {
  const limits =
    'Limit  Soft Limit  Hard Limit  Units\nMax cpu time              5                    unlimited            seconds\n';
  expect(softLimit(limits, 'Max cpu time')).toBe(5);
  expect(softLimit(limits.replace('5  ', 'unlimited  '), 'Max cpu time')).toBe(Number.POSITIVE_INFINITY);
  expect(softLimit('', 'Max data size')).toBe(Number.POSITIVE_INFINITY);
});

test('a program of root’s whose files nobody may read stays root’s own; of others, none gets a right', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-unprivileged-test-'));
  const file = join(folder, 'program.js');
  await writeFile(file, '');
  const all = await unprivilegedWords(bounds);
  const stays = (await unprivilegedWords(bounds, [file])).includes('setpriv');
  expect([stays, await whyPrivileged([file])]).toEqual(
    isRoot ? [false, `nobody but root may read ${file}`] : [all.includes('setpriv'), undefined],
  );
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  expect(await unprivilegedWords(bounds, [file])).toEqual(all);
  await rm(folder, { recursive: true });
});

test('what it takes of memory and CPU ends at its bounds, and leaves no core file', async () => {
  const words = await unprivilegedWords(bounds);
  test.skip(!words.includes('prlimit'), 'prlimit (util-linux) is not here');
  const node = (script: string) =>
    spawnSync(words[0] ?? '', [...words.slice(1), process.execPath, '-e', script], { cwd: '/' });
  // Node may be where nobody can read it.
  test.skip(node('').status !== 0, 'this Node is root’s alone');
  expect(node('Buffer.alloc(100 << 20, 1)').status).toBe(0);
  const grown = node('const kept = []; for (let nth = 0; nth < 100; nth += 1) kept.push(Buffer.alloc(20 << 20, 1));');
  expect(grown.status).not.toBe(0);
  expect(node('for (;;);').signal).toBe('SIGKILL');
  const limits = spawnSync(words[0] ?? '', [...words.slice(1), 'cat', '/proc/self/limits'], {
    cwd: '/',
  }).stdout.toString();
  expect(limits).toMatch(/Max core file size\s+0\s+0/);
});
