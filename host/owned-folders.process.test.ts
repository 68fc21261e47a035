import { spawnSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { getuid, pid as ownPid } from 'node:process';
import { expect, test } from '@playwright/test';
import { ownedFolders } from './owned-folders.js';
import { processSpace } from './process-space.js';
import { removeFolder } from './remove-folder.js';

const folders = ownedFolders('chromium');

test('the owner stands in the name, wherever in a path it is; other names have none', () => {
  const owners = [
    'loadline-chromium-99-aB3xyz',
    '--user-data-dir=/tmp/loadline-chromium-7-abc/profile',
    'loadline-chromium-notes',
    'loadline-turn-8-Xy',
    'playwright_chromiumdev_profile-99-x',
  ].map(folders.ownerOf);
  expect(owners).toEqual([99, 7, undefined, undefined, undefined]);
});

test('what a killed process left is removed, what a living one or somebody else has is not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-test-'));
  try {
    const { pid } = spawnSync('true');
    // Of a container that shares this folder, and whose pids are others.
    const elsewhere = `loadline-chromium-${pid}-${processSpace === '7ya' ? '7yb' : '7ya'}-abc123`;
    const left = join(root, `loadline-chromium-${pid}-${processSpace}-abc123`);
    await mkdir(join(left, 'profile'), { recursive: true });
    await writeFile(join(left, 'profile', 'Cookies'), 'x');
    await mkdir(join(root, 'other'));
    await mkdir(join(root, elsewhere));
    await mkdir(join(root, `loadline-turn-${pid}-${processSpace}-abc123`));
    const own = await folders.make(root);
    expect(folders.ownerOf(own)).toBe(ownPid);
    expect(await folders.abandoned(root, (owner) => owner !== ownPid)).toEqual([own]);
    expect(await folders.removeAbandoned(root)).toEqual([left]);
    expect((await readdir(root)).sort()).toEqual(
      [basename(own), elsewhere, `loadline-turn-${pid}-${processSpace}-abc123`, 'other'].sort(),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('what only looks like a folder of ours is left alone: a link, and a folder of another user', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-test-'));
  try {
    const { pid } = spawnSync('true');
    await mkdir(join(root, 'precious'));
    await symlink(join(root, 'precious'), join(root, `loadline-chromium-${pid}-${processSpace}-link`));
    const others = join(root, `loadline-chromium-${pid}-${processSpace}-others`);
    await mkdir(others);
    // Only root can make what belongs to somebody else.
    if (getuid?.() === 0) await chown(others, 12_345, 12_345);
    else await rm(others, { recursive: true });
    expect(await folders.removeAbandoned(root)).toEqual([]);
    expect(await readdir(root)).toContain('precious');
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('removing a folder follows no link out of it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-test-'));
  try {
    await mkdir(join(root, 'precious'));
    await writeFile(join(root, 'precious', 'file'), 'x');
    const own = await folders.make(root);
    await symlink(join(root, 'precious'), join(own, 'link'));
    await removeFolder(own);
    expect(await readdir(root)).toEqual(['precious']);
    expect(await readdir(join(root, 'precious'))).toEqual(['file']);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('a folder that is not there has none', async () => {
  expect(await folders.removeAbandoned(join(tmpdir(), 'loadline-no-such-folder'))).toEqual([]);
});
