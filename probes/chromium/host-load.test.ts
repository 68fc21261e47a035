import { expect, test } from '@playwright/test';
import type { ProcessStat } from '../../host/processes.js';
import { type HostSnapshot, loadBetween, parseAvailableMb, parseCpuTicks } from './host-load.js';

const stat = (line: string): string => `${line}\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nintr 12345\n`;

const snapshot = (line: string, probes: readonly ProcessStat[] = []): HostSnapshot => {
  const cpu = parseCpuTicks(stat(line));
  if (!cpu) throw new Error(line);
  return { atMs: 1, cpu, probes, memoryAvailableMb: 1000 };
};

const probe = (pid: number, cpuTicks: number, startTicks = 50): ProcessStat => ({
  pid,
  parent: 1,
  state: 'S',
  cpuTicks,
  startTicks,
});

test('busy is user, nice, system and interrupts; waiting for a disk is idle, steal is apart, guest is user already', () => {
  const ticks = parseCpuTicks(stat('cpu  100 10 50 800 40 3 7 20 60 5'));
  expect(ticks).toEqual({ cores: 2, busy: 170, steal: 20, total: 1030 });
});

test('text that is no /proc/stat is no reading', () => {
  expect(parseCpuTicks('')).toBeUndefined();
  expect(parseCpuTicks('intr 1 2 3')).toBeUndefined();
  expect(parseAvailableMb('MemTotal: 1 kB')).toBeUndefined();
});

test('loads are shares of all CPUs: half of all ticks on two cores is one core', () => {
  const before = snapshot('cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 5), probe(11, 70)]);
  const now = snapshot('cpu 100 0 0 90 0 0 0 10 0 0', [probe(10, 35), probe(12, 20)]);
  expect(loadBetween(before, now)).toEqual({
    atMs: 1,
    cores: 2,
    busyCores: 1,
    stealCores: 0.1,
    probeCores: 0.5,
    memoryAvailableMb: 1000,
  });
});

test('a pid that was given to a new process counts from zero', () => {
  const before = snapshot('cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 500, 50)]);
  const now = snapshot('cpu 100 0 0 100 0 0 0 0 0 0', [probe(10, 20, 900)]);
  expect(loadBetween(before, now)?.probeCores).toBeCloseTo(0.2, 9);
});

test('no time between two snapshots is no reading', () => {
  const same = snapshot('cpu 5 0 0 5 0 0 0 0 0 0');
  expect(loadBetween(same, same)).toBeUndefined();
});
