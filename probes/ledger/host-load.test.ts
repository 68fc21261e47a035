import { expect, test } from '@playwright/test';
import type { ProcessStat } from '../../host/processes.js';
import { type HostSnapshot, loadBetween, parseAvailableMb, parseCpuTicks } from './host-load.js';

const stat = (line: string): string => `${line}\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nintr 12345\n`;

/** The CPUs of a host of two cores, read at this second. */
const snapshot = (second: number, line: string, probes: readonly ProcessStat[] = []): HostSnapshot => {
  const cpu = parseCpuTicks(stat(line));
  if (!cpu) throw new Error(line);
  return { atMs: 1, cpuAtMs: second * 1000, cpu, probes, memoryAvailableMb: 1000 };
};

const probe = (pid: number, cpuTicks: number, startTicks = 50): ProcessStat => ({
  pid,
  parent: 1,
  state: 'S',
  cpuTicks,
  startTicks,
});

test('waiting for a disk is idle, steal is apart, guest is user already', () => {
  const ticks = parseCpuTicks(stat('cpu  100 10 50 800 40 3 7 20 60 5'));
  expect(ticks).toEqual({ cores: 2, idle: 840, steal: 20, counted: 1030 });
});

test('text that is no /proc/stat is no reading', () => {
  expect(parseCpuTicks('')).toBeUndefined();
  expect(parseCpuTicks('intr 1 2 3')).toBeUndefined();
  expect(parseAvailableMb('MemTotal: 1 kB')).toBeUndefined();
});

test('loads are by the clock: in a second of two cores, 90 ticks idle and 10 stolen are one core of work', () => {
  const before = snapshot(7, 'cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 5), probe(11, 70)]);
  const now = snapshot(8, 'cpu 100 0 0 90 0 0 0 10 0 0', [probe(10, 35), probe(12, 20)]);
  expect(loadBetween(before, now)).toEqual({
    atMs: 1,
    cores: 2,
    busyCores: 1,
    stealCores: 0.1,
    probeCores: 0.5,
    memoryAvailableMb: 1000,
  });
});

test('work that no tick has met is work all the same, and makes no other process dearer', () => {
  const before = snapshot(0, 'cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 0)]);
  const now = snapshot(10, 'cpu 120 0 40 1710 2 0 3 0 0 0', [probe(10, 117)]);
  const load = loadBetween(before, now);
  expect(load?.busyCores).toBeCloseTo(0.288, 9);
  expect(load?.probeCores).toBeCloseTo(0.117, 9);
});

test('a moment between reading and clock makes no load below nothing or above all cores', () => {
  const before = snapshot(0, 'cpu 0 0 0 0 0 0 0 0 0 0');
  expect(loadBetween(before, snapshot(1, 'cpu 1 0 0 201 0 0 0 0 0 0'))?.busyCores).toBe(0);
  expect(loadBetween(before, snapshot(1, 'cpu 203 0 0 0 0 0 0 0 0 0', [probe(9, 203)]))).toMatchObject({
    busyCores: 2,
    probeCores: 2,
  });
});

test('a pid that was given to a new process counts from zero', () => {
  const before = snapshot(0, 'cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 500, 50)]);
  const now = snapshot(1, 'cpu 100 0 0 100 0 0 0 0 0 0', [probe(10, 20, 900)]);
  expect(loadBetween(before, now)?.probeCores).toBeCloseTo(0.2, 9);
});

test('no time between two snapshots is no reading, nor are CPUs of which nothing is counted', () => {
  const same = snapshot(3, 'cpu 5 0 0 5 0 0 0 0 0 0');
  expect(loadBetween(same, same)).toBeUndefined();
  expect(loadBetween(same, { ...same, cpuAtMs: 4000 })).toBeUndefined();
});

test('of probes that may run on core 0 alone the load is that of core 0, however idle the others are', () => {
  const stat = (...busyTicks: readonly number[]) => {
    const cores = busyTicks.map((busy, cpu) => `cpu${cpu} ${busy} 0 0 ${100 - busy} 0 0 0 0 0 0`);
    const all = busyTicks.reduce((sum, busy) => sum + busy, 0);
    return [`cpu  ${all} 0 0 ${100 * busyTicks.length - all} 0 0 0 0 0 0`, ...cores].join('\n');
  };
  const read = (allowed: readonly number[]) => {
    const [first, second] = [
      snapshot(0, 'cpu 0 0 0 0 0 0 0 0 0 0'),
      snapshot(1, 'cpu 0 0 0 0 0 0 0 0 0 0', [probe(10, 99)]),
    ];
    const nothing = stat(0, 0, 0, 0).replaceAll(/ (100|400) /g, ' 0 ');
    const [before, now] = [parseCpuTicks(nothing, allowed), parseCpuTicks(stat(100, 75, 75, 0), allowed)];
    return before && now && loadBetween({ ...first, cpu: before }, { ...second, cpu: now });
  };
  expect(read([0])).toMatchObject({ cores: 1, machineCores: 4, busyCores: 1, probeCores: 0.99 });
  expect(read([1, 3])).toMatchObject({ cores: 2, machineCores: 4, busyCores: 0.75 });
  for (const all of [[], [0, 1, 2, 3], [0, 9]]) {
    expect(read(all)).toMatchObject({ cores: 4, busyCores: 2.5 });
    expect(read(all)).not.toHaveProperty('machineCores');
  }
});

test('two snapshots of other CPUs are no reading', () => {
  const text = stat('cpu 100 0 0 900 0 0 0 0 0 0');
  const [one, other] = [parseCpuTicks(text, [0]), parseCpuTicks(text, [1])];
  const at = snapshot(0, 'cpu 0 0 0 0 0 0 0 0 0 0');
  const later = other && { ...at, cpuAtMs: 1000, cpu: { ...other, counted: 100 } };
  expect(one && later && loadBetween({ ...at, cpu: one }, later)).toBeUndefined();
});
