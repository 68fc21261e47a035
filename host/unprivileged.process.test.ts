import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { childEnvironment } from './child-environment.js';
import { unprivilegedWords } from './unprivileged.js';

const isRoot = process.getuid?.() === 0;

test('a program that parses what others send is not root, gets no right back, and sees no variable but those it needs', async () => {
  const words = await unprivilegedWords();
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

test('a program of root’s whose files nobody may read stays root’s own; of others, none gets a right', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-unprivileged-test-'));
  const file = join(folder, 'program.js');
  await writeFile(file, '');
  expect(await unprivilegedWords([file])).toEqual(isRoot ? [] : await unprivilegedWords());
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  expect(await unprivilegedWords([file])).toEqual(await unprivilegedWords());
  await rm(folder, { recursive: true });
});
