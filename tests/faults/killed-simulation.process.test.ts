import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../../cli/command-line.js';
import type { RunResult } from '../../model/run.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { fakeProcess } from '../cli/fake-process.js';
import { long } from '../effort.js';
import { randomFrom } from '../random.js';
import { record } from './fault-table.js';
import { killedSimulation } from './killed-simulation.js';

/**
 * What a kill -9 leaves is what stands in the files at that moment: the kernel keeps what was written, and nothing else
 * is left of the process. So each state in which the folder of a running search is seen is one that a kill would leave.
 */
const simulation =
  'simulate one-to-one --capacity 3 --flaky-width 1 --fatigue 3 --void-rate 0.1 --seed 11 --measure 6s --format json';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-killed-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'a simulated search that was killed at any moment and resumed ends as one that nobody disturbed, and no trial is lost or doubled',
  long,
  async () => {
    test.setTimeout(240_000);
    const { states, answer, whole } = await watchedRun(join(folder, 'whole'), join(folder, 'states'));
    const chance = randomFrom(5);
    const undisturbed = await contentOf(whole);
    expect(states.length).toBeGreaterThan(2 * killedSimulation.cases.length);
    for (const { name } of killedSimulation.cases) {
      record(killedSimulation, name, undefined);
      const [left = ''] = states.splice(Math.floor(chance() * states.length), 1);
      const stored = (await readRun(left)).records;
      const resumed = await loadline(['simulate', '--resume', left, '--format', 'json']);
      expect(resumed.stderr).not.toContain('error E_');
      expect(answerIn(resumed.stdout), left).toEqual(answer);
      const now = await contentOf(left);
      expect(now.trials, left).toEqual(undisturbed.trials);
      expect(now.samples, left).toEqual(undisturbed.samples);
      expect((await readRun(left)).records.slice(0, stored.length), left).toEqual(stored);
      record(killedSimulation, name, 'the same answer and the same trials as of a run that nobody disturbed');
    }
  },
);

/** Conducts the search in this process, and copies its folder in every state that it is seen in between two turns. */
async function watchedRun(out: string, copies: string) {
  mkdirSync(copies);
  const states: string[] = [];
  let running = true;
  const ended = loadline([...simulation.split(' '), '--out', out]).finally(() => {
    running = false;
  });
  let last = '';
  while (running) {
    await turn();
    const run = onlyFolderIn(out);
    if (run === undefined) continue;
    const seen = stateOf(run);
    // Before the manifest there is no run yet that could be resumed, and with the result there is nothing to resume.
    if (seen === last || !existsSync(join(run, 'manifest.json')) || existsSync(join(run, 'result.json'))) continue;
    last = seen;
    states.push(copyOf(run, join(copies, `state-${states.length}`)));
  }
  return { states, answer: answerIn((await ended).stdout), whole: onlyFolderIn(out) ?? '' };
}

/** What other files are later than is copied first: a record is written when the samples of its trial are. */
function copyOf(run: string, copy: string): string {
  mkdirSync(copy);
  const names = readdirSync(run).sort((one) => (one === 'trials.jsonl' ? -1 : 1));
  for (const name of names) cpSync(join(run, name), join(copy, name), { recursive: true });
  return copy;
}

function stateOf(run: string): string {
  return readdirSync(run, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${statSync(join(run, name), { throwIfNoEntry: false })?.size}`)
    .join();
}

function onlyFolderIn(out: string): string | undefined {
  try {
    const [only] = readdirSync(out);
    return only === undefined ? undefined : join(out, only);
  } catch {
    return undefined;
  }
}

/** What a run holds, without the hour at which it was begun. */
async function contentOf(runDirectory: string) {
  const run = await readRun(runDirectory);
  const trials = run.records.map(({ index, size, verdict }) => ({ index, size, verdict }));
  const samples = await Promise.all(
    trials.map(async ({ index }) => ({ index, count: (await run.readSamples(index)).value.length })),
  );
  return { trials, samples };
}

async function loadline(args: readonly string[]) {
  const tool = fakeProcess({ args, workingFolder: folder });
  await runCommandLine(tool);
  return { stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}

function answerIn(stdout: string): Omit<RunResult, 'runDirectory'> {
  const { runDirectory: _, ...answer } = JSON.parse(stdout) as RunResult;
  return answer;
}
