import { expect, test } from '@playwright/test';
import { cpuGroupFolders, type QuotaCount, throttledShareBetween } from './cpu-quota.js';

const v1 = `25 20 0:23 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
26 20 0:24 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
27 20 0:25 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;
const v2 = '30 20 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';

const counts = (entries: Readonly<Record<string, QuotaCount>>) => new Map(Object.entries(entries));

test('a quota may be set on any level: the group of a process and all above it are read', () => {
  expect(cpuGroupFolders('0::/system.slice/box/probes\n', v2)).toEqual([
    '/sys/fs/cgroup/system.slice/box/probes',
    '/sys/fs/cgroup/system.slice/box',
    '/sys/fs/cgroup/system.slice',
    '/sys/fs/cgroup',
  ]);
});

test('where both versions are mounted, the group of the cpu controller is found among the others', () => {
  const folders = cpuGroupFolders('4:memory:/m\n3:cpu,cpuacct:/c\n0::/\n', v1);
  expect(folders).toEqual(['/sys/fs/cgroup/cpu/c', '/sys/fs/cgroup/cpu', '/sys/fs/cgroup/unified']);
});

test('in a container the mount shows its own group as the root', () => {
  const bound = '30 20 0:26 /docker/abc /sys/fs/cgroup ro - cgroup cgroup rw,cpu,cpuacct';
  expect(cpuGroupFolders('3:cpu,cpuacct:/docker/abc\n', bound)).toEqual(['/sys/fs/cgroup']);
  expect(cpuGroupFolders('3:cpu,cpuacct:/docker/abc/sub\n', bound)).toEqual(['/sys/fs/cgroup/sub', '/sys/fs/cgroup']);
});

test('text that is no list of groups names none', () => {
  expect(cpuGroupFolders('', v2)).toEqual([]);
  expect(cpuGroupFolders('0::/a', '')).toEqual([]);
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
