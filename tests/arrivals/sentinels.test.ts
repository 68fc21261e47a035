import { expect, test } from '@playwright/test';
import { summary } from '../../analysis/report/text.js';
import { runCommandLine } from '../../cli/command-line.js';
import { finishedRun } from '../../cli/report/finished-run.js';
import { participantsOf } from '../../model/scenario.js';
import { scenarioOf, sentinelsOf } from '../../scenarios/index.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { createRunDirectory } from '../../store/run-directory/run-directory.js';
import { runDirectorySink } from '../../store/run-directory/run-directory-sink.js';
import { findLimit } from '../../trial/find-limit.js';
import { fakeProcess } from '../cli/fake-process.js';
import { long } from '../effort.js';
import { startMs } from '../simulated-run.js';
import { withRunFolder } from '../stored-runs.js';
import { aPlanByArrivals, queuedParts, queuedTrial } from './queued-trial.js';

const quick = { queue: { serviceMs: () => 1 }, arrivals: { holdMs: 1000 }, measureMs: 10_000 } as const;
const codesOf = (reasons: readonly { readonly code: string }[]) => [...new Set(reasons.map(({ code }) => code))];

test('sentinels are there before anybody comes and to the end, are measured, and are not counted as those who came', async () => {
  const { record, open, opened } = await queuedTrial({ ...quick, size: 10, sentinels: 3 });

  expect(opened.slice(0, 2)).toEqual(['s1', 's2']);
  expect(record.probes.map(({ participant }) => participant.id)).toEqual(['s1a', 's1b', 's2a', 's2b']);
  expect(record.probes.every(({ up, failures }) => up && failures.length === 0)).toBe(true);
  expect(record.streams).toHaveLength(4 * 4);
  expect(record.arrivals).toMatchObject({ due: 200, answered: 200, leftBadly: 0 });
  expect(record.arrivals?.presentMean).toBeCloseTo(10, 0);
  expect(record.verdict).toMatchObject({ kind: 'stable' });
  expect(codesOf(record.verdict.thresholds)).toEqual(expect.arrayContaining(['join-late', 'low-frame-rate', 'jitter']));
  expect(record.load.samplesGot).toBe(record.load.samplesExpected);
  expect(open.size).toBe(0);
});

test('where those who come are all answered and media suffers, the trial is unstable by what sentinels saw', async () => {
  const { record } = await queuedTrial({ ...quick, size: 20, sentinels: 2, roomFor: 15 });

  expect(record.arrivals).toMatchObject({ refused: 0, stalled: 0, failed: 0 });
  expect(record.verdict.kind).toBe('unstable');
  expect(record.verdict.reasons.every(({ probe }) => probe?.startsWith('s1'))).toBe(true);
});

test('where media is well and answers are late, the trial is unstable by those who came', async () => {
  const { record } = await queuedTrial({ ...quick, queue: { serviceMs: () => 100 }, size: 10, sentinels: 2 });

  expect(record.verdict.kind).toBe('unstable');
  expect(codesOf(record.verdict.reasons)).toContain('join-late');
  expect(record.verdict.reasons.filter(({ probe }) => probe !== undefined)).toEqual([]);
});

test('a generator that is late makes the trial void, whatever sentinels saw', async () => {
  const { record } = await queuedTrial({
    ...quick,
    size: 10,
    sentinels: 2,
    roomFor: 1,
    generator: (clock) => ({ nowMs: () => clock.nowMs(), sleep: (ms, signal) => clock.sleep(ms + 200, signal) }),
  });

  expect(record.verdict.kind).toBe('void');
  expect(codesOf(record.verdict.reasons)).toEqual(['generator-late']);
});

test(
  'a limit by what sentinels see is found, told so, and every stored trial is judged again as it was',
  long,
  async () => {
    await withRunFolder(async (folder) => {
      const plan = aPlanByArrivals(
        { measureMs: 10_000, arrivals: { holdMs: 1000 }, sentinels: 2 },
        { from: 10, max: 14, confirm: 1, refute: 1 },
      );
      const scenario = scenarioOf(plan);
      if (!scenario) throw new Error('no scenario');
      const place = { parent: folder, scenario: 'one-to-one', server: 'simulated', startedAtMs: startMs };
      const runDirectory = await createRunDirectory(place);
      // The sentinels' call is one of those that are open; between two of those who come there is one more for a
      // moment.
      const { parts } = queuedParts({ queue: quick.queue, roomFor: 13 });
      const sinks = [runDirectorySink(runDirectory)];
      const result = await findLimit(
        { plan, scenario },
        { ...parts, sinks, runDirectory },
        new AbortController().signal,
      );

      expect(result.outcome).toBe('found');
      expect(result.limit.stable).toBe(12);
      const tool = fakeProcess({ args: ['judge', runDirectory, '--format', 'json'] });
      expect(await runCommandLine(tool), tool.written.stderr()).toBe(0);
      const { trials }: { trials: readonly { readonly same: boolean }[] } = JSON.parse(tool.written.stdout());
      expect(trials.map(({ same }) => same)).toEqual(result.trials.map(() => true));
      const words = summary(finishedRun(await readRun(runDirectory))).replace(/\s+/g, ' ');
      expect(words).toContain('Beside them 2 browsers in sessions that stayed sent and received media');
      expect(words).toContain('Samples: 100 %');
    });
  },
);

test('sentinels are whole sessions, apart by every name from those who come', () => {
  for (const [scenario, count, ids] of [
    ['one-to-one', 3, ['s1a', 's1b', 's2a', 's2b']],
    ['broadcast', 2, ['s1p', 's1v1']],
    ['sfu-group', 2, ['s1a', 's1b', 's1c', 's1d']],
  ] as const) {
    for (const subscribe of [undefined, 'each', 'one'] as const) {
      const sessions = sentinelsOf({
        scenario,
        subscribe,
        players: { kind: 'signalling', sentinels: count, legs: 'all' },
      });
      const members = participantsOf(sessions);
      expect(members.map(({ id }) => id)).toEqual(ids);
      const named =
        JSON.stringify(members.flatMap(({ legs }) => legs)).match(/"(id|participant|stream)":"[^"]*"/g) ?? [];
      expect(named.filter((text) => !text.includes('":"s1') && !text.includes('":"s2'))).toEqual([]);
      expect(JSON.stringify(members.flatMap(({ legs }) => legs.map(({ id }) => id)))).not.toContain('from-1');
    }
  }
});
