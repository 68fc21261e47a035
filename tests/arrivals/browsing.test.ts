import { expect, test } from '@playwright/test';
import { summary } from '../../analysis/report/text.js';
import { runCommandLine } from '../../cli/command-line.js';
import { finishedRun } from '../../cli/report/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { scenarioOf } from '../../scenarios/index.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { createRunDirectory } from '../../store/run-directory/run-directory.js';
import { runDirectorySink } from '../../store/run-directory/run-directory-sink.js';
import { findLimit } from '../../trial/find-limit.js';
import { fakeProcess } from '../cli/fake-process.js';
import { startMs } from '../simulated-run.js';
import { withRunFolder } from '../stored-runs.js';
import { aPlanOfBrowsers, type BrowsingTrial, browsingParts } from './browsing-trial.js';

const holdMs = 10_000;
const measureMs = 30_000;
const quick = { queue: { serviceMs: () => 5 } } as const;

/** A search among a few sizes, stored, and what its stored trials say when they are judged again. */
async function found(trial: BrowsingTrial, sizes: { readonly from: number; readonly max: number }) {
  return withRunFolder(async (folder) => {
    const plan = aPlanOfBrowsers(holdMs, measureMs, { ...sizes, confirm: 1, refute: 1, voidRepeats: 0 });
    const scenario = scenarioOf(plan);
    if (!scenario) throw new Error('no scenario');
    const place = { parent: folder, scenario: 'one-to-one', server: 'simulated', startedAtMs: startMs };
    const runDirectory = await createRunDirectory(place);
    const { parts, open } = browsingParts(trial);
    const sinks = [runDirectorySink(runDirectory)];
    const result = await findLimit({ plan, scenario }, { ...parts, sinks, runDirectory }, new AbortController().signal);
    const tool = fakeProcess({ args: ['judge', runDirectory, '--format', 'json'] });
    await runCommandLine(tool);
    const { trials }: { trials: readonly { readonly same: boolean }[] } = JSON.parse(tool.written.stdout());
    const run = await readRun(runDirectory);
    const words = summary(finishedRun(run)).replace(/\s+/g, ' ');
    return { result, records: run.records, words, same: trials.map(({ same }) => same), open };
  });
}

const last = (records: readonly TrialRecord[], size: number) => {
  const record = records.findLast((one) => one.size === size);
  if (!record) throw new Error(`no trial of ${size}`);
  return record;
};

test('browsers come, are measured over their whole stays, and leave; rate by stay is the number that media has room for', async () => {
  // Four calls in 10 s stay for 10 s each: eight participants are there at a time.
  const { result, records, words, same, open } = await found({ ...quick, roomFor: 8 }, { from: 2, max: 5 });

  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 4, unstable: 5 } });
  expect(same).toEqual(records.map(() => true));
  expect(open.size).toBe(0);
  const { arrivals, probes, load, streams, window } = last(records, 4);
  expect(arrivals).toMatchObject({ due: 24, answered: 24, failed: 0, leftBadly: 0 });
  expect(arrivals?.firstFrame?.count).toBe(24);
  expect(arrivals?.firstFrame?.minMs).toBeGreaterThanOrEqual(315);
  const { startMs: fromMs = 0, endMs = 0 } = window ?? {};
  const whole = probes.filter(({ there }) => there && there.fromMs >= fromMs && (there.untilMs ?? endMs + 1) <= endMs);
  expect(whole.length).toBeGreaterThan(8);
  expect(streams).toHaveLength(4 * whole.length);
  expect(load.samplesGot).toBeGreaterThanOrEqual(load.samplesExpected);
  expect(load.samplesExpected).toBeGreaterThan(6 * whole.length);
  // Of stays that follow one another the rates add up to what nobody delivered.
  expect(last(records, 4).used?.map(({ what }) => what) ?? []).not.toContain('delivered');
  const failed = last(records, 5).verdict;
  expect(failed.reasons.every(({ code }) => code !== 'join-late' && code !== 'samples-missing')).toBe(true);
  expect(words).toContain('Those who came were browsers that sent and received media');
  expect(words).toContain('From due to the first frame');
  expect(words).toContain('descriptions made by browsers');
});

test('a server that answers late is found by time to answer, and not by what browsers see', async () => {
  const { result, records, same } = await found({ queue: { serviceMs: () => 400 } }, { from: 2, max: 3 });

  expect(result.outcome).not.toBe('found');
  const { kind, reasons } = records[0]?.verdict ?? { kind: 'none', reasons: [] };
  expect([kind, ...new Set(reasons.map(({ code }) => code))]).toEqual(['unstable', 'join-late']);
  expect(same).toEqual(records.map(() => true));
});

test('browsers that take long to describe what they send make the trial void, and never the server unstable', async () => {
  const { records, same } = await found({ ...quick, describeMs: 600 }, { from: 2, max: 3 });

  expect(records[0]?.verdict).toMatchObject({ kind: 'void', reasons: [{ code: 'generator-late' }] });
  expect(records[0]?.verdict.reasons[0]?.text).toContain('The browsers themselves were too slow to join');
  expect(same).toEqual(records.map(() => true));
});

test('media that comes late is told by the first frame, from when each was due', async () => {
  const { records, same } = await found({ ...quick, mediaMs: 6000 }, { from: 2, max: 3 });

  expect(records[0]?.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'first-frame-late' }] });
  expect(same).toEqual(records.map(() => true));
});

test('one who loses its connection while it is there makes the trial unstable, by name', async () => {
  const { records, same } = await found({ ...quick, fall: (id) => id === '5b' }, { from: 2, max: 3 });

  const { verdict } = last(records, 2);
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons).toMatchObject([{ code: 'disconnected', probe: '5b' }]);
  expect(same).toEqual(records.map(() => true));
});

test('those who cannot come because their host is lost make the trial void, and never the server unstable', async () => {
  const { records, same } = await found({ ...quick, lost: (id) => Number.parseInt(id, 10) > 5 }, { from: 2, max: 3 });

  const { verdict, arrivals } = last(records, 2);
  expect(arrivals?.failed).toBeGreaterThan(0);
  expect([verdict.kind, ...new Set(verdict.reasons.map(({ code }) => code))]).toEqual(['void', 'host-lost']);
  expect(same).toEqual(records.map(() => true));
});

for (const [what, code] of [
  ['whose browser did not start', 'browser-start'],
  ['whose host went away while browsers started', 'host-lost'],
] as const) {
  test(`a trial ${what} is void by that name, ends before anybody comes, and the search goes on to its answer`, async () => {
    const fallsInStandBy = (id: string, trial: number) => (trial === 2 && id === '3a' ? code : undefined);
    const { result, records, same } = await found({ ...quick, roomFor: 8, fallsInStandBy }, { from: 2, max: 5 });

    expect(result).toMatchObject({ outcome: 'found', limit: { stable: 4, unstable: 5 } });
    const [, fallen, again] = records;
    expect(fallen).toMatchObject({
      verdict: { kind: 'void', probesExhausted: false, reasons: [{ code, probe: '3a' }] },
    });
    expect(fallen?.arrivals).toBeUndefined();
    expect((fallen?.endedAtMs ?? 0) - (fallen?.startedAtMs ?? 0)).toBeLessThan(holdMs);
    expect(again?.size).toBe(fallen?.size);
    expect(same).toEqual(records.map(() => true));
  });
}

test('one who is refused is told as refused, and its call does not stay', async () => {
  const { records } = await found({ queue: { serviceMs: () => 30, refusesBeyond: 1 } }, { from: 2, max: 3 });

  expect(records[0]?.arrivals).toMatchObject({ stalled: 0, failed: 0, failures: [{ how: 'refused' }] });
  expect(records[0]?.verdict.kind).toBe('unstable');
});
