import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill, pid as ownPid, ppid } from 'node:process';
import { expect, test } from '@playwright/test';
import { soon } from '../tests/soon.js';
import { parsePssKb, readChildrenPss, readTreesPss } from './process-memory.js';
import { findRoots, isRunning, killNow, parseProcessStat, processesWith, readProcess, treeOf } from './processes.js';

test('a process name with spaces and parentheses does not shift the fields', () => {
  const fields = 'S 7 8 8 0 -1 4194560 100 0 0 0 30 12 0 0 20 0 1 0 4242 1000000 200';
  expect(parseProcessStat(`31 (chrome (x) y) ${fields}`)).toEqual({
    pid: 31,
    parent: 7,
    state: 'S',
    cpuTicks: 42,
    startTicks: 4242,
  });
  expect(parseProcessStat('')).toBeUndefined();
});

test('a tree holds children of children in whatever order they are listed', () => {
  const all = [
    [5, 4],
    [4, 2],
    [2, 1],
    [3, 1],
    [9, 8],
  ].map(([pid = 0, parent = 0]) => ({ pid, parent, state: 'S', cpuTicks: 0, startTicks: 0 }));
  expect(treeOf(all, new Set([2])).map(({ pid }) => pid)).toEqual([5, 4, 2]);
});

test('memory is PSS, not RSS', () => {
  expect(parsePssKb('559907471000 [rollup]\nRss:   1616 kB\nPss:    346 kB\nPss_Dirty: 112 kB\n')).toBe(346);
});

test('memory is counted of what a process has started itself, and what is below that, and not of the same program of others', async () => {
  const mark = `loadline-test-memory-${ownPid}`;
  const child = spawn('sh', ['-c', 'sleep 60 & echo ready; wait', mark], { detached: true });
  const elsewhere = spawn('sh', ['-c', 'sh -c "sleep 60; true" "$0" & echo ready; wait', `${mark}-other`], {
    detached: true,
  });
  try {
    await Promise.all([child, elsewhere].map((one) => once(one.stdout, 'data')));
    const isMarked = (argument: string) => argument === mark;
    expect(await readChildrenPss(ownPid, isMarked)).toBeGreaterThan(0);
    expect(await readChildrenPss(ownPid, isMarked)).toBeCloseTo(await readTreesPss(isMarked), 1);
    const isOther = (argument: string) => argument === `${mark}-other`;
    expect(await readChildrenPss(child.pid ?? 0, isOther)).toBe(0);
    expect(await readChildrenPss(elsewhere.pid ?? 0, isOther)).toBeGreaterThan(0);
    expect(await readChildrenPss(elsewhere.pid ?? 0, isOther)).toBeLessThan(await readTreesPss(isOther));
  } finally {
    for (const { pid } of [child, elsewhere]) if (pid) kill(-pid, 'SIGKILL');
  }
});

test('processes are found by what stands in their command lines, and the top of a tree is told from what is below', async () => {
  const mark = `loadline-test-${ownPid}`;
  const parent = spawn('sh', ['-c', 'sh -c "sleep 60; true" "$0" & echo ready; wait', mark], { detached: true });
  try {
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    await soon(() => processesWith((argument) => argument === mark)).toHaveLength(2);
    expect(await findRoots((argument) => argument === mark)).toEqual(new Set([parent.pid]));
    expect(readProcess(parent.pid ?? 0)?.parent).toBe(ownPid);
  } finally {
    process.kill(-(parent.pid ?? 0), 'SIGKILL');
  }
});

test('a process that has ended is not running, and killing it again does nothing', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  expect([isRunning(pid), isRunning(ppid)]).toEqual([true, true]);
  killNow(pid);
  await new Promise((resolve) => child.once('close', resolve));
  expect(isRunning(pid)).toBe(false);
  expect(readProcess(pid)).toBeUndefined();
  killNow(pid);
});
