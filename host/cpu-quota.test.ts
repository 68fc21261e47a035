import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ControlGroups, groupFolders } from './control-groups.js';
import {
  type QuotaCount,
  throttledShareBetween,
  tightestQuota,
  tightestQuotaIn,
  worstQuotaBetween,
} from './cpu-quota.js';

const v1 = `25 20 0:23 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
26 20 0:24 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
27 20 0:25 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;
const v2 = '30 20 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';

const counts = (entries: Readonly<Record<string, QuotaCount>>) => new Map(Object.entries(entries));

test('a quota may be set on any level: the group of a process and all above it are read', () => {
  expect(groupFolders('0::/system.slice/box/probes\n', v2, 'cpu')).toEqual([
    '/sys/fs/cgroup/system.slice/box/probes',
    '/sys/fs/cgroup/system.slice/box',
    '/sys/fs/cgroup/system.slice',
    '/sys/fs/cgroup',
  ]);
});

test('where both versions are mounted, the group of the cpu controller is found among the others', () => {
  const folders = groupFolders('4:memory:/m\n3:cpu,cpuacct:/c\n0::/\n', v1, 'cpu');
  expect(folders).toEqual(['/sys/fs/cgroup/cpu/c', '/sys/fs/cgroup/cpu', '/sys/fs/cgroup/unified']);
});

test('in a container the mount shows its own group as the root', () => {
  const bound = '30 20 0:26 /docker/abc /sys/fs/cgroup ro - cgroup cgroup rw,cpu,cpuacct';
  expect(groupFolders('3:cpu,cpuacct:/docker/abc\n', bound, 'cpu')).toEqual(['/sys/fs/cgroup']);
  expect(groupFolders('3:cpu,cpuacct:/docker/abc/sub\n', bound, 'cpu')).toEqual([
    '/sys/fs/cgroup/sub',
    '/sys/fs/cgroup',
  ]);
});

test('text that is no list of groups names none', () => {
  expect(groupFolders('', v2, 'cpu')).toEqual([]);
  expect(groupFolders('0::/a', '', 'cpu')).toEqual([]);
});

test('folders of groups are looked up once, and again when a process is moved or when nothing was found', async () => {
  const files: Record<string, string> = { '/proc/7/cgroup': '0::/a\n', '/proc/self/cgroup': '0::/b\n' };
  let lookedUp = 0;
  const groups = new ControlGroups(async (path) => {
    if (path === '/proc/self/mountinfo') lookedUp += 1;
    return files[path] ?? '';
  });
  expect(await groups.of(7, 'cpu')).toEqual([]);
  files['/proc/self/mountinfo'] = v2;
  for (let second = 0; second < 3; second += 1) {
    expect(await groups.apart(7, 'cpu')).toEqual(['/sys/fs/cgroup/a']);
  }
  expect(lookedUp).toBe(3);
  files['/proc/7/cgroup'] = '0::/c\n';
  expect(await groups.apart(7, 'cpu')).toEqual(['/sys/fs/cgroup/c']);
  expect(lookedUp).toBe(4);
});

test('the share is that of the worst group, of the periods that passed in between', () => {
  const before = counts({ '/a': { periods: 100, throttled: 50 }, '/b': { periods: 10, throttled: 0 } });
  const now = counts({ '/a': { periods: 110, throttled: 52 }, '/b': { periods: 20, throttled: 9 } });
  expect(throttledShareBetween(before, now)).toBeCloseTo(0.9, 9);
});

test('a group without a quota throttles nobody; one that could not be read says nothing', () => {
  const idle = counts({ '/a': { periods: 0, throttled: 0 } });
  expect(throttledShareBetween(idle, idle)).toBe(0);
  expect(throttledShareBetween(undefined, idle)).toBeUndefined();
  expect(throttledShareBetween(idle, undefined)).toBeUndefined();
});

test('a group that appeared in between is not held against a count from zero', () => {
  const now = counts({ '/new': { periods: 1000, throttled: 900 } });
  expect(throttledShareBetween(counts({}), now)).toBe(0);
});

test('of several levels the one that held its processes back most is told, with what it allows', () => {
  const before = counts({
    '/pod': { periods: 100, throttled: 10, cores: 2 },
    '/pod/box': { periods: 100, throttled: 0, cores: 0.5 },
  });
  const now = counts({
    '/pod': { periods: 110, throttled: 16, cores: 2 },
    '/pod/box': { periods: 110, throttled: 1, cores: 0.5 },
  });
  expect(worstQuotaBetween(before, now)).toEqual({ cores: 2, periods: 10, throttled: 6 });
  expect(worstQuotaBetween(now, now)).toBeUndefined();
  const idle = {
    '/pod/box': { periods: 100, throttled: 0, cores: 8 },
    '/pod': { periods: 100, throttled: 0, cores: 2 },
  };
  const later = Object.entries(idle).map(([name, count]) => [name, { ...count, periods: 110 }] as const);
  expect(worstQuotaBetween(counts(idle), new Map(later))).toMatchObject({ cores: 2 });
  expect(tightestQuota(now)).toBe(0.5);
  expect(tightestQuota(counts({ '/': { periods: 0, throttled: 0 } }))).toBeUndefined();
});

test('each limit is looked for in the hierarchy of its own controller', () => {
  expect(groupFolders('4:memory:/m\n3:cpu,cpuacct:/c\n', v1, 'memory')).toEqual([
    '/sys/fs/cgroup/memory/m',
    '/sys/fs/cgroup/memory',
  ]);
  expect(groupFolders('0::/box\n', v2, 'memory')).toEqual(groupFolders('0::/box\n', v2, 'cpu'));
});

test.describe('the quota of a process', () => {
  let folder = '';
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loadline-quota-'));
  });
  test.afterEach(() => rm(folder, { recursive: true, force: true }));

  async function written(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), `${text}\n`);
    }
  }
  const quotaOf = (groups: string, type: string) =>
    tightestQuotaIn(groupFolders(groups, `25 20 0:23 / ${folder} rw - ${type}`, 'cpu'));

  test('is the tightest on the way up, in version 2', async () => {
    const quota = () => quotaOf('0::/unit/job', 'cgroup2 cgroup2 rw');
    await written({ 'unit/cpu.max': '150000 100000', 'unit/job/cpu.max': 'max 100000' });
    expect(await quota()).toBe(1.5);
    await written({ 'unit/job/cpu.max': '10000 20000' });
    expect(await quota()).toBe(0.5);
  });

  test('is that of the cpu controller in version 1, and -1 is none', async () => {
    const quota = () => quotaOf('7:cpuset:/other\n3:cpu,cpuacct:/job\n0::/x', 'cgroup cgroup rw,cpu,cpuacct');
    await written({ 'job/cpu.cfs_quota_us': '50000', 'job/cpu.cfs_period_us': '100000' });
    expect(await quota()).toBe(0.5);
    await written({ 'job/cpu.cfs_quota_us': '-1' });
    expect(await quota()).toBeUndefined();
  });

  test('is not known where nothing can be read', async () => {
    expect(await quotaOf('', 'cgroup2 cgroup2 rw')).toBeUndefined();
    expect(await quotaOf('0::/unit', 'cgroup2 cgroup2 rw')).toBeUndefined();
  });
});
