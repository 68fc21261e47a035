import { expect, test } from '@playwright/test';
import { headline } from '../analysis/report/headline.js';
import { junit } from '../analysis/report/junit.js';
import { sizeText } from '../analysis/report/markdown.js';
import { answerText } from '../analysis/report/run-list.js';
import { type FinishedRun, runResult } from '../analysis/search/result.js';
import { exitCodeOfFind } from '../cli/exit-codes.js';
import type { Plan } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { findLimit, tryOnce } from '../trial/find-limit.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

/** What is said of one answer in all places must be the same, and no surer than its trials. */
const never = new AbortController().signal;
const timing = { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20 };

type Search = Partial<Plan['search']>;

async function searched(options: Partial<SimulationOptions>, search: Search, signal = never): Promise<FinishedRun> {
  const { parts, events } = aSimulatedRun(options);
  await findLimit(aPlan({ max: 64, ...search }, timing), oneToOne, parts, signal);
  return finished(events);
}

async function triedAt(size: number, capacity: number, command = ['loadline', 'try']): Promise<FinishedRun> {
  const { parts, events } = aSimulatedRun({ capacity }, { command });
  await tryOnce(aPlan({}, timing), oneToOne, size, parts, never);
  return finished(events);
}

function finished(events: readonly RunEvent[]): FinishedRun {
  const begun = events.find((event) => event.type === 'run-started');
  const ended = events.find((event) => event.type === 'run-ended');
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  if (!begun || !ended) throw new Error('the run did not come to its end');
  return { manifest: begun.manifest, records, answer: ended.answer, runDirectory: '/nowhere' };
}

/** The same answer as a headline, in the list of runs, in a table of Markdown, in JSON, and as an exit code. */
function told(run: FinishedRun, require?: number) {
  const result = runResult(run);
  const listed = { name: 'run', manifest: run.manifest, result, trials: run.records.length };
  return {
    headline: headline(run),
    runs: answerText(listed),
    markdown: sizeText(run),
    undecided: result.undecided === true,
    exitCode: exitCodeOfFind(result, require),
  };
}

test('a list whose smallest size failed says all that its limit may be, and is no answer', async () => {
  expect(told(await searched({ capacity: 9 }, { strategy: 'fixed', sizes: [24, 32] }))).toEqual({
    headline:
      'The limit of simulated server is 1 to 23 calls, 1 stable in 1 of 1, 24 stable in 0 of 2; no size between was tried.',
    runs: '1 to 23 calls, not tried between',
    markdown: '1 to 23',
    undecided: true,
    exitCode: 4,
  });
});

test('a list that all passed holds its largest, and says of what list', async () => {
  const run = await searched({ capacity: 40 }, { strategy: 'fixed', sizes: [4, 8, 12] });
  expect(told(run)).toMatchObject({ runs: '≥ 12 calls', markdown: '≥ 12', undecided: false, exitCode: 0 });
  expect(headline(run)).toContain('holds at least 12 calls');
});

test('a list that leaves nothing out has a limit', async () => {
  const run = await searched({ capacity: 5 }, { strategy: 'fixed', sizes: [4, 5, 6] });
  expect(told(run)).toMatchObject({ runs: '5 calls, not 6', markdown: '5', undecided: false, exitCode: 0 });
});

test('a --require outside of what a list left out is answered, and one inside is not', async () => {
  const run = await searched({ capacity: 9 }, { strategy: 'fixed', sizes: [4, 24] });
  expect([4, 5, 23, 24].map((require) => told(run, require).exitCode)).toEqual([0, 4, 4, 3]);
});

test('a list in which a size between contradicted itself names it, instead of saying that none was tried', async () => {
  const run = await searched({ capacity: 9 }, { strategy: 'fixed', sizes: [4, 12] });
  const [, , middle] = run.records;
  if (!middle) throw new Error('too few trials');
  const between = [
    { ...middle, index: 20, size: 9 },
    { ...middle, index: 21, size: 9, verdict: { ...middle.verdict, kind: 'unstable' as const } },
  ];
  const text = headline({ ...run, records: [...run.records, ...between] });
  expect(text).toContain('of those between only 9, stable in 1 of 2 was tried');
});

test('a search that its budget ended names its interval everywhere, and is no answer whatever is required', async () => {
  const run = await searched({ capacity: 18 }, { budgetMs: 180_000 });
  expect(told(run)).toMatchObject({ undecided: true, exitCode: 4 });
  expect(told(run).headline).toMatch(/^The limit of .* is (\d+) to (\d+) calls, .*; the search was cut short\.$/);
  expect(told(run).runs).toMatch(/^\d+ to \d+ calls, cut short$/);
  expect(told(run, 1).exitCode).toBe(4);
  expect(junit(run)).toContain('name="answer"');
});

test('one size that failed is no limit, and is told as the one trial that it was', async () => {
  const failed = await triedAt(24, 9);
  expect(told(failed)).toMatchObject({ runs: '24 calls tried: unstable', undecided: true });
  expect(headline(failed)).toBe('simulated server, 24 calls (48 probes): unstable, in one trial.');
  const passed = await triedAt(4, 9, ['loadline', 'simulate', 'one-to-one', '--size', '4']);
  expect(told(passed)).toMatchObject({ runs: '4 calls tried: stable', undecided: false });
});

test('a run that was interrupted is called so in the list of runs, between two trials, too', async () => {
  const between = await searched({ capacity: 9 }, {}, AbortSignal.abort());
  expect(told(between)).toMatchObject({ runs: 'interrupted', exitCode: 4 });
});

test('a ramp that stopped near a limit holds at least what it held, and one that stepped over sizes says which', async () => {
  const run = await searched({ capacity: 40 }, { strategy: 'ramp', from: 2 });
  const { stable, unstable } = run.answer;
  if (unstable === null) expect(headline(run)).toContain(`holds at least ${stable} calls`);
  else expect(told(run).undecided).toBe(unstable - stable > 2);
  const stopped = { ...run, answer: { ...run.answer, unstable: null } };
  expect(told(stopped)).toMatchObject({ runs: `≥ ${stable} calls`, markdown: `≥ ${stable}` });
  expect(headline(stopped)).toContain('a metric came near its limit, so nothing larger was tried');
});
