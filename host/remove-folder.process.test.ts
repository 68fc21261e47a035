import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, getuid, seteuid } from 'node:process';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { soon } from '../tests/soon.js';
import { removeFolder } from './remove-folder.js';

const [other, ordinary] = [65_534, 65_533];

/**
 * What another user does who may write beside and in the folder: it is there again at once, and what is in it is now a
 * folder, now a link.
 */
const swapping = `
const { mkdirSync, writeFileSync, symlinkSync, renameSync } = require('node:fs');
const [folder, precious] = process.argv.slice(1);
const tried = (act) => { try { act(); } catch {} };
process.umask(0);
process.stdout.write('ready');
const many = Array.from({ length: 60 }, (_, nth) => folder + '/' + nth);
for (;;) {
  tried(() => mkdirSync(folder));
  for (const inner of many) {
    tried(() => mkdirSync(inner));
    tried(() => writeFileSync(inner + '/file', ''));
    tried(() => symlinkSync(precious, inner + '-link'));
  }
  for (let times = 0; times < 5; times += 1) {
    for (const inner of many) tried(() => (renameSync(inner, inner + '-aside'), renameSync(inner + '-link', inner)));
    for (const inner of many) tried(() => (renameSync(inner, inner + '-link'), renameSync(inner + '-aside', inner)));
  }
}`;

test('a user who swaps folders for links while root removes one has nothing of root’s removed', async () => {
  test.skip(getuid?.() !== 0, 'root alone can be made to remove what is another’s');
  const shared = await mkdtemp(join(tmpdir(), 'loadline-swapping-test-'));
  await chmod(shared, 0o1777);
  const precious = join(shared, 'precious');
  await mkdir(precious, { mode: 0o700 });
  const folder = join(shared, 'loadline-chromium-1-x-abc');
  const child = spawn(execPath, ['-e', swapping, folder, precious], { uid: other, gid: other, cwd: '/' });
  try {
    await once(child.stdout, 'data');
    const kept: number[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      for (let file = 0; file < 5; file += 1) await writeFile(join(precious, `${file}`), 'x');
      await mkdir(folder).catch(() => undefined);
      await chown(folder, other, other).catch(() => undefined);
      await removeFolder(folder);
      kept.push((await readdir(precious)).length);
    }
    expect(kept).toEqual(kept.map(() => 5));
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
    await rm(shared, { recursive: true, force: true });
  }
});

test('nor has an ordinary user, of a folder in which that one may make folders', async () => {
  test.skip(getuid?.() !== 0, 'root alone plays two users');
  const shared = await mkdtemp(join(tmpdir(), 'loadline-swapping-test-'));
  await chmod(shared, 0o777);
  const precious = join(shared, 'precious');
  const file = join(shared, 'remove.mjs');
  const contents = `import { removeFolder } from './remove-folder.ts';
    import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
    const [folder, precious] = process.argv.slice(2);
    mkdirSync(precious, { mode: 0o700 });
    const kept = [];
    for (let nth = 0; nth < 6; nth += 1) {
      for (let file = 0; file < 5; file += 1) writeFileSync(precious + '/' + file, 'x');
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o1733);
      while (!readdirSync(folder).includes('theirs')) await new Promise(setImmediate);
      await removeFolder(folder);
      kept.push(readdirSync(precious).length);
    }
    console.log(JSON.stringify(kept));`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: file });
  const folder = join(shared, 'recordings');
  const remover = spawn(execPath, [file, folder, precious], { uid: ordinary, gid: ordinary, cwd: '/' });
  const child = spawn(execPath, ['-e', swapping, join(folder, 'theirs'), precious], {
    uid: other,
    gid: other,
    cwd: '/',
  });
  try {
    const [said] = await once(remover.stdout, 'data');
    expect(JSON.parse(String(said))).toEqual([5, 5, 5, 5, 5, 5]);
  } finally {
    for (const one of [child, remover]) {
      one.kill('SIGKILL');
      if (one.exitCode === null && one.signalCode === null) await once(one, 'close');
    }
    await rm(shared, { recursive: true, force: true });
  }
});

test('in a folder of somebody else root moves nothing to where that one could lead it', async () => {
  test.skip(getuid?.() !== 0, 'root alone works in a folder of somebody else');
  const parent = await mkdtemp(join(tmpdir(), 'loadline-others-test-'));
  try {
    await mkdir(join(parent, 'one', 'inner'), { recursive: true });
    await chown(parent, other, other);
    const seen: string[] = [];
    const watcher = watch(parent, (_, name) => void seen.push(String(name)));
    await removeFolder(join(parent, 'one'));
    await soon(() => seen).toContain('one');
    watcher.close();
    expect(seen.filter((name) => name.startsWith('loadline-'))).toEqual([]);
    expect(await readdir(parent)).toEqual([]);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test('a folder in which a process still writes is removed once that has ended, and nothing stays beside it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-removing-test-'));
  try {
    const folder = join(parent, 'one');
    await mkdir(folder);
    const writes = `cd '${folder}' && for i in 1 2 3 4 5 6 7 8; do echo x > f$i 2>/dev/null; sleep 0.03; done`;
    const child = spawn('sh', ['-c', writes]);
    await removeFolder(folder);
    if (child.exitCode === null) await once(child, 'close');
    await removeFolder(folder);
    expect(await readdir(parent)).toEqual([]);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test('what cannot be removed is where it was', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-removing-test-'));
  const inner = join(parent, 'one', 'inner');
  const isRoot = getuid?.() === 0;
  try {
    await chmod(parent, 0o1777);
    if (isRoot) seteuid?.(ordinary);
    await mkdir(inner, { recursive: true });
    await writeFile(join(inner, 'file'), '');
    await chmod(inner, 0o500);
    await removeFolder(join(parent, 'one'));
    expect(await readdir(parent)).toEqual(['one']);
    expect(await readdir(inner)).toEqual(['file']);
  } finally {
    if (isRoot) seteuid?.(0);
    await chmod(inner, 0o700).catch(() => undefined);
    await rm(parent, { recursive: true, force: true });
  }
});
