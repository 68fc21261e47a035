import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isLeftover, makeProfileFolder, removeLeftovers } from './profile-folders.js';

test('only folders of processes that are gone are leftovers', () => {
  const alive = (pid: number): boolean => pid === 100;
  expect(isLeftover('loadline-chromium-99-aB3xyz', alive)).toBe(true);
  expect(isLeftover('loadline-chromium-100-aB3xyz', alive)).toBe(false);
  expect(isLeftover('loadline-chromium-notes', alive)).toBe(false);
  expect(isLeftover('playwright_chromiumdev_profile-99-x', alive)).toBe(false);
});

test('what a killed process left is removed, what a living one or somebody else has is not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadline-leftovers-test-'));
  try {
    const { pid } = spawnSync('true');
    const left = join(root, `loadline-chromium-${pid}-abc123`);
    await mkdir(join(left, 'profile'), { recursive: true });
    await writeFile(join(left, 'profile', 'Cookies'), 'x');
    await mkdir(join(root, 'other'));
    const own = await makeProfileFolder(root);
    expect(await removeLeftovers(root)).toEqual([left]);
    expect((await readdir(root)).sort()).toEqual([basename(own), 'other'].sort());
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test('a temporary folder that is not there has no leftovers', async () => {
  expect(await removeLeftovers(join(tmpdir(), 'loadline-no-such-folder'))).toEqual([]);
});
