import { expect, test } from '@playwright/test';
import { areApart, cpusIn, leastCores } from './core-count.js';

test('a list of CPUs is single ones and ranges', () => {
  expect(cpusIn('0')).toEqual([0]);
  expect(cpusIn('0-2,8,10-11')).toEqual([0, 1, 2, 8, 10, 11]);
  expect(cpusIn(undefined)).toEqual([]);
});

test('a process is held to the least of its quota and its CPUs, and to nothing by all CPUs of its machine', () => {
  expect(leastCores(undefined, 1, 8)).toBe(1);
  expect(leastCores(2.5, 4, 8)).toBe(2.5);
  expect(leastCores(2.5, 2, 8)).toBe(2);
  expect(leastCores(2.5, 8, 8)).toBe(2.5);
  expect(leastCores(undefined, 8, 8)).toBeUndefined();
});

test('CPUs that are not there, and a list that cannot be read, hold nobody', () => {
  expect(leastCores(undefined, 128, 4)).toBeUndefined();
  expect(leastCores(undefined, cpusIn(undefined).length, 4)).toBeUndefined();
});

test('processes are apart where no CPU is in both of their lists, and both lists are known', () => {
  expect(areApart('0,4-5', '1-3')).toBe(true);
  expect(areApart('0,3-5', '1-3')).toBe(false);
  expect(areApart(undefined, '1-3')).toBe(false);
  expect(areApart('0', undefined)).toBe(false);
});
