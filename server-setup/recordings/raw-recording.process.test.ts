import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { soon } from '../../tests/soon.js';
import { converted } from './raw-recording.js';
import { copyRegular } from './shelf-folder.js';

test('links and folders that others put where a recording is copied and converted to are not written through', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-raw-test-'));
  try {
    const [precious, path, raw] = ['precious', '1a-1.webm', '1a-1.mjr'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(precious, 'mine');
    await writeFile(raw, 'theirs');
    for (const name of [path, `${path}.whole`]) await symlink(precious, name);
    const order = { path: raw, converter: 'cp', install: '', copyWhole: copyRegular };
    expect(await converted(order, path, new AbortController().signal)).toBeUndefined();
    expect(await readFile(precious, 'utf8')).toBe('mine');
    expect([(await lstat(path)).isFile(), await readFile(path, 'utf8')]).toEqual([true, 'theirs']);
    await rm(path);
    await mkdir(join(path, 'inner'), { recursive: true });
    expect(await converted(order, path, new AbortController().signal)).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('theirs');
    await rm(raw);
    await symlink(precious, raw);
    const failed = await converted(order, path, new AbortController().signal);
    expect(failed).toContain('cannot be converted by cp');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a converter that heeds no signal ends with the trial all the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-raw-test-'));
  const [converter, raw] = [join(folder, 'stubborn'), join(folder, '1a-1.mjr')];
  await chmod(folder, 0o755);
  await writeFile(converter, "#!/bin/sh\ntrap '' TERM\nfor nth in 1 2 3 4 5 6 7 8 9; do sleep 1; done\n");
  await chmod(converter, 0o755);
  await writeFile(raw, 'theirs');
  const isThere = () => spawnSync('pgrep', ['-f', `/bin/sh ${converter}`]).status === 0;
  const trial = new AbortController();
  const over = converted({ path: raw, converter, install: '' }, join(folder, '1a-1.webm'), trial.signal);
  const ended = expect(over).rejects.toThrow();
  await soon(isThere).toBe(true);
  trial.abort();
  await ended;
  await soon(isThere).toBe(false);
  await rm(folder, { recursive: true, force: true });
});
