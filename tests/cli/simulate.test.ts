import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { lastRunOf, runBefore } from '../../cli/wiring/last-run.js';
import type { RunResult } from '../../model/run.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { long } from '../effort.js';
import { runHere } from './run-here.js';
import type { Ended } from './run-loadline.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-simulate-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function simulate(flags: string): Promise<Ended> {
  return runHere(['simulate', 'one-to-one', '--measure', '6s', '--out', folder, ...flags.split(' ')]);
}

async function answerOf(flags: string, exits = 0): Promise<RunResult> {
  const { stdout, exitCode } = await simulate(`${flags} --format json`);
  expect(exitCode).toBe(exits);
  return JSON.parse(stdout) as RunResult;
}

const sizesOf = ({ trials }: RunResult) => trials.map(({ size }) => size);

test('the report of a simulated run says simulated in its first line, and the plan that no browser takes part', async () => {
  const { stdout, stderr, exitCode } = await simulate('--capacity 5 --seed 7 --verbose');
  expect(exitCode).toBe(0);
  expect(stdout.trimStart().split('\n')[0]).toBe('simulated server holds 5 calls (10 probes), in 3 of 3 trials.');
  expect(stdout).toContain('5 stable in 3 of 3 trials, 6 in none of 2.');
  expect(stderr).toContain('no browser takes part');
});

test('the JSON of a simulated run is the document of a real one, and its folder reads back', async () => {
  const result = await answerOf('--capacity 5 --seed 7');
  expect(result).toMatchObject({
    scenario: 'one-to-one',
    unit: 'calls',
    limit: { stable: 5, unstable: 6, flaky: [] },
    probesAtLimit: 10,
    outcome: 'found',
  });
  const stored = await readRun(result.runDirectory);
  expect(stored.result).toEqual(result);
  expect(stored.records.map(({ size }) => size)).toEqual(sizesOf(result));
});

test('who is in a session is simulated as asked', async () => {
  const simulated = (...args: string[]) => runHere(['simulate', ...args, '--capacity', '3', '--out', folder]);
  expect((await simulated('webinar', '--presenters', '4', '--hands-up', '0')).stdout).toContain('3 viewers (7 probes)');
  expect((await simulated('sfu-group', '--room-size', '10')).stdout).toContain('3 rooms (30 probes)');
  const { stderr, exitCode } = await simulated('one-to-one', '--presenters', '4');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--presenters is not for one-to-one.')]);
});

test('the same seed gives the same run, another seed other trials', async () => {
  const run = async (seed: number) => {
    const { runDirectory: _, ...rest } = await answerOf(`--capacity 2 --flaky-width 1 --void-rate 0.2 --seed ${seed}`);
    return rest;
  };
  const third = await run(3);
  expect(await run(3)).toEqual(third);
  expect(await run(4)).not.toEqual(third);
});

test('a ramp never goes down before something failed, and finds the limit that bisection finds', async () => {
  const result = await answerOf('--capacity 5 --strategy ramp');
  expect(result.limit).toMatchObject({ stable: 5, unstable: 6 });
  const grown = sizesOf(result).slice(0, -2);
  expect(grown).toEqual([...grown].sort((a, b) => a - b));
});

test('a fixed list is tried as it is, each size as often as asked, and the report is that of a search', async () => {
  const result = await answerOf('--capacity 9 --strategy fixed --sizes 4,12 --confirm 2', 4);
  expect(sizesOf(result)).toEqual([1, 4, 4, 12, 12]);
  expect(result.limit).toMatchObject({ stable: 4, unstable: 12 });
  expect((await simulate('--capacity 9 --strategy fixed --sizes 4,12')).stdout).toContain('is 4 to 11 calls');
});

test('a share of the limit is of a search that found it: one that ended before says what is less, and a try nothing', async () => {
  const tried = (capacity: number) =>
    runHere([
      ...['simulate', 'one-to-one', '--measure', '6s', '--out', folder],
      ...['--capacity', `${capacity}`, '--size', '80% of limit', '--format', 'json'],
    ]);
  const short = await answerOf('--capacity 18 --max 5');
  expect(short).toMatchObject({ outcome: 'reached-max', limit: { stable: 5 } });
  await answerOf('--capacity 18 --size=30', 3);
  const refused = await tried(18);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(' came to 5 or more')]);
  const found = await answerOf('--capacity 18');
  await answerOf('--capacity 18 --max 6');
  await answerOf('--capacity 18 --size=30', 3);
  expect(sizesOf(JSON.parse((await tried(18)).stdout))).toEqual([1, Math.round(0.8 * (found.limit.stable ?? 0))]);
  await answerOf('--capacity 2');
  const between = await tried(2);
  expect([between.exitCode, between.stderr]).toEqual([2, expect.stringContaining('is 2, and 2 is 100 % of it')]);
});

test('a coarser answer takes fewer trials', long, async () => {
  const fine = await answerOf('--capacity 50 --within 1 --from 40');
  const coarse = await answerOf('--capacity 50 --within 20% --from 40');
  expect(coarse.trials.length).toBeLessThan(fine.trials.length);
});

test('a confidence says what it costs before it starts, and is shown by as many passes', async () => {
  const { stdout, stderr } = await simulate('--capacity 3 --confidence 0.9 --verbose');
  const cost = /90 % sure that it passes 80 %: it must pass (\d+) times without a failure/.exec(stderr);
  expect(cost?.[1]).toBe('16');
  expect(stderr.indexOf(cost?.[0] ?? '')).toBeLessThan(stderr.indexOf('trial=1'));
  expect(stderr).toMatch(/at most \d+ trials of 46 s and joining/);
  expect(stdout).toContain('3 stable in 16 of 16 trials');
  expect(stdout.replace(/\s+/g, ' ')).toContain('holds 3 calls (6 probes), in 16 of 16 trials');
});

test('a simulated server that is cold is warmed up before the first trial, and that is told on all ways out', async () => {
  const { stdout, stderr, exitCode } = await simulate('--capacity 3 --cold-join 4.6s --verbose');
  expect(exitCode).toBe(0);
  expect(stderr.split('warm-up, not judged: joined in 4.8 s, first frame 4.9 s after its sources')).toHaveLength(2);
  expect(stderr.indexOf('warm-up, not')).toBeLessThan(stderr.indexOf('trial=1'));
  expect(stdout.replace(/\s+/g, ' ')).toContain('joined in 4.8 s, first frame 4.9 s after its sources.');
  const result = await answerOf('--capacity 3 --cold-join 4.6s');
  expect(result.trials.map(({ warmUp }) => warmUp?.firstFrameMs)).toEqual([
    4900,
    ...result.trials.slice(1).map(() => undefined),
  ]);
  const [first] = (await readRun(result.runDirectory)).records;
  expect(first?.warmUp).toEqual(result.trials[0]?.warmUp);
});

test('a search that its budget ends gives the interval reached, says so first, and is no answer to --require', async () => {
  const result = await answerOf('--capacity 18 --budget 2m', 4);
  expect(result).toMatchObject({ cutShort: true, outcome: 'found' });
  expect(result.limit.stable).toBeLessThanOrEqual(18);
  expect(result.limit.unstable).toBeGreaterThan(18);
  const stored = await readRun(result.runDirectory);
  const usedMs = stored.records.reduce((total, { startedAtMs, endedAtMs }) => total + endedAtMs - startedAtMs, 0);
  // The length of the next trial is foreseen from those before, which may be a second short.
  expect(usedMs).toBeLessThan(125_000);
  const required = await simulate('--capacity 18 --budget 2m --require 2');
  expect(required.exitCode).toBe(4);
  expect(required.stdout.trimStart().replace(/\s+/g, ' ')).toMatch(/^The limit of .* cut short\./);
});

test('the newest run that asked the same tells where to start, one that asked something else does not', async () => {
  await answerOf('--capacity 2 --seed 1');
  const result = await answerOf('--capacity 3 --seed 1');
  const { manifest } = await readRun(result.runDirectory);
  expect(await lastRunOf(manifest.plan, folder)).toMatchObject({ stable: 3 });
  const longer = { ...manifest.plan, timing: { ...manifest.plan.timing, measureMs: 7000 } };
  expect(await lastRunOf(longer, folder)).toBeUndefined();
  expect(await lastRunOf(manifest.plan, join(folder, 'none'))).toBeUndefined();
  const again = await answerOf('--capacity 3 --seed 1');
  expect((await runBefore(await readRun(again.runDirectory)))?.runDirectory).toBe(result.runDirectory);
});

const refused: readonly (readonly [string, string])[] = [
  ['--within 0%', '--within'],
  ['--within 500%', '--within'],
  ['--confidence 1', '--confidence'],
  ['--confidence 100%', '--confidence'],
  ['--budget soon', '--budget'],
  ['--strategy fixed', '--sizes'],
  ['--sizes 4,8', '--strategy'],
  ['--strategy fixed --sizes 4,,8', '--sizes'],
  ['--strategy climb', '--strategy'],
  ['--void-rate 2', '--void-rate'],
  ['--flaky-width wide', '--flaky-width'],
  ['--symptom sad', '--symptom'],
  ['--placement weight', '--cluster'],
  ['--strategy ramp --confidence 0.9', '--confidence'],
];

for (const [flags, named] of refused) {
  test(`loadline simulate one-to-one ${flags} is refused naming ${named}, and nothing is stored`, async () => {
    const { stdout, stderr, exitCode } = await simulate(flags);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error E_[A-Z]+: /);
    expect(stderr).toContain(named);
    expect(readdirSync(folder)).toEqual([]);
  });
}
