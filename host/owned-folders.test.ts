import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { expect, test } from '@playwright/test';
import { ownedFolders } from './owned-folders.js';

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
    const left = join(root, `loadline-chromium-${pid}-abc123`);
    await mkdir(join(left, 'profile'), { recursive: true });
    await writeFile(join(left, 'profile', 'Cookies'), 'x');
    await mkdir(join(root, 'other'));
    await mkdir(join(root, `loadline-turn-${pid}-abc123`));
    const own = await folders.make(root);
    expect(folders.ownerOf(own)).toBe(ownPid);
    expect(await folders.abandoned(root, (owner) => owner !== ownPid)).toEqual([own]);
    expect(await folders.removeAbandoned(root)).toEqual([left]);
    expect((await readdir(root)).sort()).toEqual([basename(own), `loadline-turn-${pid}-abc123`, 'other'].sort());
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('a folder that is not there has none', async () => {
  expect(await folders.removeAbandoned(join(tmpdir(), 'loadline-no-such-folder'))).toEqual([]);
});
