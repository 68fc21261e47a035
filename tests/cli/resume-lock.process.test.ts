import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { long } from '../effort.js';
import { runHere } from './run-here.js';
import { endOf, runLoadline, startLoadline } from './run-loadline.js';

let folder: string;
const started: ChildProcess[] = [];
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-lock-'));
});
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Long enough to be met while it is under way: a trial of these takes a good part of a second. */
const simulation = 'simulate one-to-one --capacity 90 --from 60 --measure 120s --format json --seed 3';

function start(...args: readonly string[]) {
  const child = startLoadline(args);
  child.stdin.end();
  started.push(child);
  return child;
}

/** Resolves when it has told of its first trial, or of going on after one. */
function underWay(child: ReturnType<typeof start>): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (/\ntrial=|Resumed after/.test(told)) resolve();
    });
    child.on('close', () => reject(new Error(`it ended before it was under way: ${told}`)));
  });
}

async function begun() {
  const child = start(...simulation.split(' '), '--out', folder);
  const end = endOf(child);
  await underWay(child);
  return { child, end, run: join(folder, readdirSync(folder)[0] ?? 'none') };
}

const locksIn = (run: string) => readdirSync(run).filter((name) => name.includes('lock'));
const resume = (run: string) => ['simulate', '--resume', run, '--format', 'json'];

test('a run that still goes on is not resumed: exit 2, the process is named, and its files are left alone', async () => {
  const { child, run } = await begun();
  const { exitCode, stderr, stdout } = await runHere(resume(run));
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('error E_RESUME: This run is still going on in another process.');
  expect(stderr).toContain(`process ${child.pid} writes into it`);
  expect(child.exitCode).toBeNull();
  expect(locksIn(run)).toEqual(['lock-1']);
});

test('the lock of a killed process is none: the run goes on, and no lock is left after its end', async () => {
  const { child, end, run } = await begun();
  child.kill('SIGKILL');
  await end;
  expect(locksIn(run)).toEqual(['lock-1']);
  const { exitCode, stderr } = await runLoadline([...resume(run), '--budget', '1s']);
  expect(stderr).toContain('Resumed after');
  // A search that its budget ends has no answer; that it went on is what matters here.
  expect(exitCode).toBe(4);
  expect(locksIn(run)).toEqual([]);
});

test('of two that resume a run at once, one goes on and the other is refused', long, async () => {
  const { child, end, run } = await begun();
  child.kill('SIGKILL');
  await end;
  const both = [start(...resume(run)), start(...resume(run))];
  const ends = both.map((one) => endOf(one));
  const { exitCode, stderr } = await Promise.race(ends);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_RESUME: This run is still going on in another process.');
  expect(both.filter((one) => one.exitCode === null)).toHaveLength(1);
});

test('a number that was given to another process since is no lock', long, async () => {
  const { child, end, run } = await begun();
  child.kill('SIGKILL');
  await end;
  const stale = readFileSync(join(run, 'lock-1'), 'utf8');
  writeFileSync(join(run, 'lock-1'), stale.replace(/pid \d+/, `pid ${process.pid}`));
  // In a process of its own, because the number is this one's now.
  expect((await runLoadline([...resume(run), '--budget', '1s'])).exitCode).toBe(4);
});

test('a resume that is refused for another reason leaves no lock', long, async () => {
  const { child, end, run } = await begun();
  child.kill('SIGTERM');
  await end;
  expect(locksIn(run)).toEqual([]);
  expect((await runHere(['find', '--resume', run])).exitCode).toBe(2);
  expect((await runHere([...resume(run), '--require', 'x'])).exitCode).toBe(2);
  expect(locksIn(run)).toEqual([]);
});
