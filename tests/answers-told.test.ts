import { expect, test } from '@playwright/test';
import { headline } from '../analysis/report/headline.js';
import { junit } from '../analysis/report/junit.js';
import { markdown, sizeText } from '../analysis/report/markdown.js';
import { repeatSentence } from '../analysis/report/repeats-section.js';
import { answerText } from '../analysis/report/run-list.js';
import { trustSentences } from '../analysis/report/trust-section.js';
import { runResult } from '../analysis/search/result.js';
import { exitCodeOfFind } from '../cli/exit-codes.js';
import type { FinishedRun } from '../model/finished-run.js';
import type { Plan } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import type { TrialRecord } from '../model/trial.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { findLimit, tryOnce } from '../trial/find-limit.js';
import { both, times } from './effort.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

/** What is said of one answer in all places must be the same, and no surer than its trials. */
const never = new AbortController().signal;
const timing = { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20 };

type Search = Partial<Plan['search']>;

async function searched(options: Partial<SimulationOptions>, search: Search, signal = never): Promise<FinishedRun> {
  const { parts, events } = aSimulatedRun(options);
  await findLimit({ plan: aPlan({ max: 64, ...search }, timing), scenario: oneToOne }, parts, signal);
  return finished(events);
}

async function triedAt(size: number, capacity: number, command = ['loadline', 'try']): Promise<FinishedRun> {
  const { parts, events } = aSimulatedRun({ capacity }, { command });
  await tryOnce({ plan: aPlan({}, timing), scenario: oneToOne }, size, parts, never);
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
  expect(told(await searched({ capacity: 9 }, { strategy: 'fixed', sizes: [12, 16] }))).toEqual({
    headline:
      'The limit of simulated server is 1 to 11 calls, 1 stable in 1 of 1, 12 stable in 0 of 2; no size between was tried.',
    runs: '1 to 11 calls, not tried between',
    markdown: '1 to 11',
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
  expect(told(run).headline).toMatch(/is \d+ to \d+ calls, .* cut short\.$/);
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

test('one size at which nobody ever connected is told as that in the list of runs, and not as unstable', async () => {
  const tried = await triedAt(4, 100);
  const run = { ...tried, answer: { ...tried.answer, outcome: 'never-connected' as const, stable: 0, unstable: null } };
  expect(told(run).runs).toBe('never connected');
  expect(told(tried).runs).toBe('4 calls tried: stable');
});

test('a run that was interrupted is called so in the list of runs, between two trials, too', async () => {
  const between = await searched({ capacity: 9 }, {}, AbortSignal.abort());
  expect(told(between)).toMatchObject({ runs: 'interrupted', exitCode: 4 });
});

test('a ramp that stopped near a limit holds at least what it held, and one that stepped over sizes says which', async () => {
  const run = await searched({ capacity: 12 }, { strategy: 'ramp', from: 2 });
  const { stable, unstable } = run.answer;
  if (unstable === null) expect(headline(run)).toContain(`holds at least ${stable} calls`);
  else expect(told(run).undecided).toBe(unstable - stable > 2);
  const stopped = { ...run, answer: { ...run.answer, unstable: null } };
  expect(told(stopped)).toMatchObject({ runs: `≥ ${stable} calls`, markdown: `≥ ${stable}` });
  expect(headline(stopped)).toContain('a metric came near its limit, so nothing larger was tried');
});

test('what a confidence asked is what the headline answers, rounded down, and it says so where trials fell short', async () => {
  const run = await searched({ capacity: 3 }, { confidence: 0.9, max: 8 });
  expect(headline(run)).toBe(
    'simulated server holds 3 calls (6 probes), in 16 of 16 trials: at least 80 % of the time, at 90 % confidence.',
  );
  const held = run.records.filter(({ size }) => size === 3);
  const short = { ...run, records: run.records.filter((record) => !held.slice(3).includes(record)) };
  // (1 − p⁴) / 4 / (1 − p) / p³ is 10 at 1/3.
  expect(headline(short)).toMatch(/3 of 3 .* 33 % .* 90 % .* 80 % were asked for\.$/);
});

test('a headline never says how often without the trials that it was', async () => {
  const run = await searched({ capacity: 3 }, { max: 8 });
  expect(headline(run)).toBe('simulated server holds 3 calls (6 probes), in 3 of 3 trials.');
});

test('shares are rounded towards what claims less', async () => {
  const text = trustSentences(await searched({ capacity: 3 }, { max: 8 })).join(' ');
  // (1 − p⁴) / 4 / (1 − p) / p³ is 20 at 0.256; (1 − p³) / 3 / (1 − p) / p² at 0.139.
  expect(text).toMatch(/stable in 3 of 3 trials\..* at least 25 % of the time/);
  expect(text).toMatch(/unstable in 2 of 2 trials\..* at most 87 % of the time/);
});

test('one failure of the smallest size, where the budget ended the search, is told as one', async () => {
  const run = await searched({ capacity: 0 }, { budgetMs: 30_000 });
  expect(headline(run)).toMatch(/1 call, .* 0 of 1 trial .* cut short\.$/);
  expect(told(run)).toMatchObject({ runs: 'not even 1 call, cut short', exitCode: 4 });
});

test('a server that died is told as that everywhere, and is a no to whatever asks for as much', async () => {
  const run = await searched({ capacity: 100, diesAbove: 5 }, { foresight: false });
  expect(told(run, 8)).toMatchObject({ runs: 'died at 8 calls', markdown: '?', undecided: false, exitCode: 3 });
  expect(told(run, 7)).toMatchObject({ exitCode: 4 });
  expect(headline(run)).toMatch(/^simulated server went away carrying 8 calls: The media server went away in trial 4/);
  expect(junit(run)).toMatch(/name="answer".*<failure message="simulated server went away carrying 8 calls/);
  expect(runResult(run)).toMatchObject({ outcome: 'server-lost', limit: { stable: 4, unstable: 8 } });
});

test('a server that died in the first session holds nothing that is known', async () => {
  const run = await searched({ capacity: 100, diesAbove: 0.5 }, {});
  expect(told(run, 1)).toMatchObject({ runs: 'died at 1 call', exitCode: 3 });
  expect(runResult(run).limit).toEqual({ stable: null, unstable: 1, flaky: [] });
});

test('a size that was tried when the server died is unstable, and the answer says of what', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 100, diesAbove: 5 }, { command: ['loadline', 'try'] });
  await tryOnce({ plan: aPlan({}, timing), scenario: oneToOne }, 8, parts, never);
  const run = finished(events);
  expect(told(run, 8)).toMatchObject({ runs: '8 calls tried: unstable', exitCode: 3 });
  expect(headline(run)).toContain('unstable, in one trial. The media server went away');
});

test('a run whose trials were all void is green nowhere, and says nothing of a limit', async () => {
  const run = await searched({ capacity: 3, voidRate: 1 }, {});
  expect(told(run)).toMatchObject({ runs: 'void', markdown: '?', exitCode: 4 });
  expect(junit(run)).toMatch(/failures="[1-9]/);
  expect(runResult(run).limit).toMatchObject({ stable: null, unstable: null });
});

test('where the probes ran out, nothing is said of the server from there on', async () => {
  const { answer } = await searched({ capacity: 50, probeLimit: 7 }, {});
  expect(answer.because).toContain('the probes ran out, so nothing is known of the server from there on');
});

/**
 * No trial is begun that is foreseen to end beyond the budget; what is foreseen may be short by less than that trial.
 */
test(
  'a budget is kept: whatever the server does, a run is over it by no more than the trial that was running',
  both,
  async () => {
    const takes = ({ startedAtMs, endedAtMs }: TrialRecord) => endedAtMs - startedAtMs;
    for (let seed = 1; seed <= times(3, 8); seed += 1) {
      const budgetMs = 40_000 + 45_000 * seed;
      const { records, answer } = await searched(
        { capacity: 2 + seed, flakyWidth: seed % 4, seed },
        { budgetMs, max: 16 },
      );
      const beforeLast = records.slice(0, -1).reduce((sum, record) => sum + takes(record), 0);
      const last = records.at(-1);
      expect(beforeLast, `seed ${seed}`).toBeLessThan(budgetMs);
      expect(beforeLast + (last ? takes(last) : 0), `seed ${seed}`).toBeLessThan(
        budgetMs + (last ? takes(last) : 0) / 5,
      );
      expect(answer.cutShort === true || answer.outcome === 'found', `seed ${seed}`).toBe(true);
    }
  },
);

test('a limit beside which failures were discarded says everywhere what they would make of it', async () => {
  const run = await searched({ capacity: 3 }, { max: 8 });
  const [held] = run.records.filter(({ size }) => size === 3);
  if (!held) throw new Error('too few trials');
  const reasons = [{ code: 'environment' as const, text: 'Other virtual machines took 11 % of the CPU.' }];
  const discarded = { ...held, index: 30, verdict: { ...held.verdict, kind: 'void' as const, reasons } };
  const records = [...run.records, { ...discarded, verdict: { ...discarded.verdict, discardsFailure: true as const } }];
  expect(headline({ ...run, records })).toContain('in 3 of 3 trials (3 of 4 if discarded failures count).');
  expect(repeatSentence({ ...run, records })).toContain(
    '3 stable in 3 of 3 trials (3 of 4 if discarded failures count)',
  );
  expect(trustSentences({ ...run, records }).join(' ')).toContain(
    'Counting discarded failures as failures, it is 3 of 4.',
  );
  expect(markdown({ ...run, records })).toContain('3 of 3 (3 of 4 if discarded failures count)');
  // One that was void whatever came of it is not a failure that was discarded.
  expect(headline({ ...run, records: [...run.records, discarded] })).toContain('in 3 of 3 trials.');
});

test('one size that passed while the probe side was disturbed is stable, and confirms nothing', async () => {
  const run = await triedAt(4, 9);
  const disturbedBy = [{ code: 'environment' as const, text: 'Other virtual machines took 11 % of the CPU.' }];
  const records = run.records.map((record) => ({ ...record, verdict: { ...record.verdict, disturbedBy } }));
  expect(headline({ ...run, records })).toBe(
    'simulated server, 4 calls (8 probes): stable, in one trial; it confirms nothing, for the probe side was disturbed: Other virtual machines took 11 % of the CPU.',
  );
  expect(told({ ...run, records })).toMatchObject({ runs: '4 calls tried: stable', exitCode: 0 });
  // A script is told by a field, and --require by no answer.
  expect(runResult({ ...run, records })).toMatchObject({ unconfirmed: true, limit: { stable: 4 } });
  expect(runResult(run)).not.toHaveProperty('unconfirmed');
  const codes = (one: FinishedRun) => [4, 5].map((require) => told(one, require).exitCode);
  expect([codes({ ...run, records }), codes(run)]).toEqual([
    [4, 4],
    [0, 4],
  ]);
});
