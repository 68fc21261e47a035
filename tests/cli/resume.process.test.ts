import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RunResult } from '../../model/run.js';
import { withoutSeal } from '../../store/run-directory/seal.js';
import { long } from '../effort.js';
import { randomFrom } from '../random.js';
import { withoutSeals } from '../stored-runs.js';
import { runHere } from './run-here.js';
import { runLoadline, startLoadline } from './run-loadline.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-resume-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const simulation =
  'simulate one-to-one --capacity 3 --flaky-width 1 --fatigue 3 --void-rate 0.1 --seed 11 --measure 6s';

function begin(name: string): string[] {
  return [...simulation.split(' '), '--format', 'json', '--out', join(folder, name)];
}

/** The one run in a folder of runs. */
function runIn(name: string): string {
  const [only] = readdirSync(join(folder, name));
  return join(folder, name, only ?? 'none');
}

const again = (run: string) => ['simulate', '--resume', run, '--format', 'json'];
const resume = (run: string, ...flags: readonly string[]) => runHere([...again(run), ...flags]);

function answerIn(stdout: string): Omit<RunResult, 'runDirectory'> {
  const { runDirectory: _, ...answer } = JSON.parse(stdout) as RunResult;
  return answer;
}

function recordsOf(run: string): string[] {
  return readFileSync(join(run, 'trials.jsonl'), 'utf8').split('\n');
}

function unsealedOf(run: string): unknown[] {
  return recordsOf(run).flatMap((line) => (line === '' ? [] : [withoutSeal(JSON.parse(line))]));
}

/** Lines of a record, without what differs by the hour at which the run was begun. */
function verdictsOf(run: string): unknown[] {
  return recordsOf(run).flatMap((line) => (line === '' ? [] : [JSON.parse(line).verdict]));
}

/**
 * In what states a kill may leave the files is tested apart (tests/faults/killed-simulation.process.test.ts): this is
 * the real kill.
 */
test('a process killed at 4 random moments and resumed each time ends as one that nobody disturbed', long, async () => {
  test.setTimeout(240_000);
  const whole = await runLoadline(begin('whole'));
  const chance = randomFrom(3);
  const trials = answerIn(whole.stdout).trials.length;
  const kills = Array.from({ length: 4 }, (_, nth) => ({
    name: `killed-${nth}`,
    afterTrials: Math.floor(chance() * trials),
    delayMs: 20 * chance(),
  }));
  const killAndResume = async ({ name, afterTrials, delayMs }: (typeof kills)[number]) => {
    await killAfter(begin(name), afterTrials, delayMs);
    const { stdout, stderr, exitCode } = await runLoadline(again(runIn(name)));
    expect(stderr).not.toContain('error E_');
    expect(exitCode).toBe(whole.exitCode);
    expect(answerIn(stdout)).toEqual(answerIn(whole.stdout));
    expect(verdictsOf(runIn(name))).toEqual(verdictsOf(runIn('whole')));
  };
  await Promise.all(kills.map(killAndResume));
});

/** Kills it once so many trials have been told of, and a moment more has passed. */
function killAfter(args: readonly string[], trials: number, delayMs: number): Promise<void> {
  const child = startLoadline(args);
  child.stdin.end();
  child.stdout.resume();
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (!told.includes('saved') || told.split('\ntrial=').length <= trials) return;
    setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  return new Promise((resolve) => child.on('close', () => resolve()));
}

test('a run cut off after any of its trials goes on with the next step, the torn line left out, none repeated', async () => {
  const whole = await runHere(begin('whole'));
  const lines = recordsOf(runIn('whole'));
  for (const kept of [0, 1, 4]) {
    const cut = join(folder, `cut-${kept}`);
    cpSync(runIn('whole'), cut, { recursive: true });
    rmSync(join(cut, 'result.json'));
    const torn = (lines[kept] ?? '').slice(0, 500);
    writeFileSync(join(cut, 'trials.jsonl'), [...lines.slice(0, kept), torn].join('\n'));
    const { stdout, stderr } = await resume(cut);
    expect(answerIn(stdout)).toEqual(answerIn(whole.stdout));
    // Down to the clock: the simulated time goes on where it stopped. Seals name the manifest, which tells of resumes.
    if (kept > 0) expect(unsealedOf(cut)).toEqual(unsealedOf(runIn('whole')));
    if (kept > 0) expect(stderr).toContain(`Resumed after ${kept} stored trials`);
  }
});

test('what the stored plan has decided cannot be given again with --resume', async () => {
  await runHere(begin('whole'));
  const { exitCode, stderr } = await resume(runIn('whole'), '--max', '16', '--seed', '3');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_USAGE: --seed, --max cannot be given with --resume');
});

test('a simulated run is not resumed as a real one, and the run is left as it was', async () => {
  await runHere(begin('whole'));
  const before = recordsOf(runIn('whole'));
  const { exitCode, stderr } = await runHere(['find', '--resume', runIn('whole')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_RESUME');
  expect(recordsOf(runIn('whole'))).toEqual(before);
});

test('trials of another machine are not gone on with, and the run is left as it was', async () => {
  await runHere(begin('whole'));
  const manifest = join(await withoutSeals(runIn('whole')), 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"cores":\d+/, '"cores":999'));
  const { exitCode, stderr } = await resume(runIn('whole'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cores: was 999');
  expect(readdirSync(runIn('whole'))).toContain('result.json');
});

test('a run that its budget ended goes on with a larger one', async () => {
  const short = await runHere([...begin('short'), '--budget', '2m']);
  expect(answerIn(short.stdout)).toMatchObject({ cutShort: true });
  expect(answerIn(short.stdout).because).toContain('The time budget of 2 min');
  const whole = await runHere(begin('whole'));
  const { stdout } = await resume(runIn('short'), '--budget', '24h');
  expect(answerIn(stdout)).toEqual(answerIn(whole.stdout));
});
