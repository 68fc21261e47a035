import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { soon } from '../../tests/soon.js';
import { releaseLock, runningProcess, takeLock } from './process-lock.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-process-lock-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function claimed(number: number, pid: number, startTicks: number): void {
  writeFileSync(join(folder, `lock-${number}`), `pid ${pid}, started at tick ${startTicks}\n`);
}

async function withProcess(work: (pid: number, startTicks: number) => Promise<void>): Promise<void> {
  const child = spawn('sleep', ['60']);
  try {
    const running = await runningProcess(child.pid ?? 0);
    expect(running?.pid).toBe(child.pid);
    await work(running?.pid ?? 0, running?.startTicks ?? 0);
  } finally {
    child.kill('SIGKILL');
  }
}

test('a free folder is taken and given up again without a trace', async () => {
  expect(await takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['lock-1']);
  await releaseLock(folder);
  await releaseLock(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test('what a running process holds is not taken, and its claim stays', async () => {
  await withProcess(async (pid, startTicks) => {
    claimed(4, pid, startTicks);
    expect(await takeLock(folder)).toEqual({ pid, startTicks });
    await releaseLock(folder);
    expect(readdirSync(folder)).toEqual(['lock-4']);
  });
});

test('a claim counts for nothing when its process is gone, began at another time, or cannot be read', async () => {
  await withProcess(async (pid, startTicks) => claimed(1, pid, startTicks + 1));
  claimed(2, 2 ** 22 + 1, 5);
  writeFileSync(join(folder, 'lock-3'), 'nobody');
  expect(await takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['lock-4']);
});

test('a claim with a number that no process gives is none', async () => {
  for (const number of ['9007199254740992', '99999999999999999999999', '1e+23'])
    writeFileSync(join(folder, `lock-${number}`), 'nobody');
  expect(await takeLock(folder)).toBeUndefined();
  expect(readdirSync(folder)).toContain('lock-1');
});

test('a killed process that nobody has reaped yet holds nothing', async () => {
  // The shell's child ends at once; what takes the shell's place never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
  try {
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (chunk) => resolve(Number(chunk))));
    await soon(() => runningProcess(pid)).toBeUndefined();
  } finally {
    parent.kill('SIGKILL');
  }
});

test('a folder that is gone has nothing to give up', async () => {
  await releaseLock(join(folder, 'gone'));
});
