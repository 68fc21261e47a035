import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ownCpuQuota } from './cpu-quota.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-quota-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

async function written(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), `${text}\n`);
  }
}

test('the tightest quota on the way up is what a process has, in version 2', async () => {
  await written({ own: '0::/unit/job', 'unit/cpu.max': '150000 100000', 'unit/job/cpu.max': 'max 100000' });
  expect(await ownCpuQuota({ version: 2, folder }, join(folder, 'own'))).toBe(1.5);
  await written({ 'unit/job/cpu.max': '10000 20000' });
  expect(await ownCpuQuota({ version: 2, folder }, join(folder, 'own'))).toBe(0.5);
});

test('in version 1 it is that of the cpu controller, and -1 is none', async () => {
  const job = { 'job/cpu.cfs_quota_us': '50000', 'job/cpu.cfs_period_us': '100000' };
  await written({ own: '7:cpuset:/other\n3:cpu,cpuacct:/job\n0::/x', ...job });
  expect(await ownCpuQuota({ version: 1, folder }, join(folder, 'own'))).toBe(0.5);
  await written({ 'job/cpu.cfs_quota_us': '-1' });
  expect(await ownCpuQuota({ version: 1, folder }, join(folder, 'own'))).toBeUndefined();
});

test('where nothing can be read nothing is known of a quota', async () => {
  expect(await ownCpuQuota({ version: 2, folder }, join(folder, 'none'))).toBeUndefined();
});
