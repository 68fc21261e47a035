import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { LoadlineError } from '../model/errors.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { readRun } from '../store/run-directory/read-run.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import type { Sink } from '../store/sink.js';
import { logged } from '../tests/logged-parts.js';
import { aMemorySink, aPlan, aSimulatedRun, startMs } from '../tests/simulated-run.js';
import { findLimit, tryOnce } from './find-limit.js';
import { TrialOver } from './trial-end.js';

const never = new AbortController().signal;
const plan = aPlan({ max: 16 }, { measureMs: 6000, settleMs: 12_000 });

function sizesOf(events: readonly RunEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'trial-started' ? [event.size] : []));
}

test('each record is stored before the next trial starts, and the server is stopped at the end', async () => {
  const sink = aMemorySink();
  const run = aSimulatedRun({ capacity: 2 }, { sinks: [sink] });
  const { parts, calls } = logged(run.parts);
  const result = await findLimit({ plan, scenario: oneToOne }, parts, never);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 2, unstable: 3, flaky: [] }, probesAtLimit: 4 });
  const order = calls.filter((call) => /^(server|reset|store|sink)/.test(call));
  expect(order[0]).toBe('server.start');
  expect(order.slice(-2)).toEqual(['sink.close', 'server.stop']);
  const between = order.slice(1, -2);
  expect(between.filter((_, index) => index % 2 === 0).every((call) => call === 'reset')).toBe(true);
  expect(between.filter((_, index) => index % 2 === 1).every((call) => call.startsWith('store'))).toBe(true);
  expect(sink.kept.filter((line) => !line.startsWith('samples')).slice(-2)).toEqual(['answer found', 'close']);
});

test('the events tell the run in order: started, trials with their interval, ended', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 1 });
  const result = await findLimit({ plan, scenario: oneToOne }, parts, never);
  expect(events[0]).toMatchObject({ type: 'run-started', manifest: { format: 2, server: { kind: 'simulated' } } });
  expect(events.at(-1)).toEqual({
    type: 'run-ended',
    answer: expect.objectContaining({ stable: 1, unstable: 2 }),
    result,
  });
  const ended = events.flatMap((event) => (event.type === 'trial-ended' ? [event.bracket] : []));
  expect(ended.slice(0, 2)).toEqual([
    { stable: 1, unstable: null },
    { stable: 1, unstable: 2 },
  ]);
  expect(events.some((event) => event.type === 'second' && event.progress.worstFps === 30)).toBe(true);
});

test('what is stored of a run names no secret: not of its command, its plan or its server', async () => {
  const sink = aMemorySink();
  const manifests: string[] = [];
  const open: Sink['open'] = async (manifest) => void manifests.push(JSON.stringify(manifest));
  const command = ['loadline', 'try', '--server', 'ws://me:hunter2@host/?token=hunter2', '--password', 'hunter2'];
  const { parts } = aSimulatedRun({ capacity: 2 }, { sinks: [{ ...sink, open }], command });
  const server = { kind: 'kurento', url: 'ws://host/?token=hunter2', restartCommand: 'PASSWORD=hunter2 restart' };
  await tryOnce({ plan: { ...plan, server } as typeof plan, scenario: oneToOne }, 1, parts, never);
  expect(manifests.join()).toContain('PASSWORD=***');
  expect(manifests.join()).not.toContain('hunter2');
});

test('a trial is judged against what one call alone got', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 1, symptom: 'slow' });
  await findLimit({ plan, scenario: oneToOne }, parts, never);
  const reasons = events.flatMap((event) => (event.type === 'trial-ended' ? event.record.verdict.reasons : []));
  expect(reasons.some(({ code, text }) => code === 'low-bitrate' && text.includes('baseline'))).toBe(true);
});

test('an interrupted run answers with what is known, as void, and everything is stopped', async () => {
  const abort = new AbortController();
  const sink = aMemorySink();
  const run = aSimulatedRun({ capacity: 3 }, { sinks: [sink] });
  const { parts, calls } = logged(run.parts, (call) => {
    if (call === 'open 4') abort.abort();
  });
  const result = await findLimit({ plan, scenario: oneToOne }, parts, abort.signal);
  expect(result).toMatchObject({ outcome: 'void', limit: { stable: 2, unstable: null } });
  expect(result.because).toBe(
    'The run was interrupted. Known so far, not confirmed: 1 was stable in 1 of 1; 2 was stable in 1 of 1.',
  );
  expect(result.trials.map(({ size, verdict }) => [size, verdict])).toEqual([
    [1, 'stable'],
    [2, 'stable'],
    [4, 'void'],
  ]);
  expect(calls.at(-1)).toBe('server.stop');
  expect(sink.kept).toContain('answer void');
});

test('a server that dies under load and stays away ends the run: trial and answer say that it died', async () => {
  const { parts } = aSimulatedRun({ capacity: 100, diesAbove: 5 });
  const doubling = { ...plan, search: { ...plan.search, foresight: false } };
  const result = await findLimit({ plan: doubling, scenario: oneToOne }, parts, never);
  expect(result).toMatchObject({ outcome: 'server-lost', limit: { stable: 4, unstable: 8 } });
  expect(result.trials.at(-1)).toMatchObject({ size: 8, verdict: 'unstable', reasons: [{ code: 'server-lost' }] });
  expect(result.because).toContain('E_SERVER_LOST');
  expect(result.because).toContain('4 was stable in 1 of 1; 8 was stable in 0 of 1, when the server went away.');
});

test('a server that is lost but comes back clean carries on', async () => {
  const run = aSimulatedRun({ capacity: 2 });
  const { parts, say } = logged(run.parts, (call) => {
    if (call === 'open 4') say({ kind: 'lost', atMs: 0, detail: 'exit code 1' });
  });
  const result = await findLimit({ plan, scenario: oneToOne }, parts, never);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 2, unstable: 3 } });
  expect(result.trials[2]).toMatchObject({ size: 4, reasons: [{ code: 'server-lost' }] });
});

test('a server that does not come clean ends the run with that reason', async () => {
  const run = aSimulatedRun({ capacity: 9 });
  let resets = 0;
  const { parts } = logged(run.parts, (call) => {
    if (call !== 'reset') return;
    resets += 1;
    if (resets === 3) throw new LoadlineError('E_NOT_CLEAN', 'The media server still holds 5 of our pipelines.');
  });
  const result = await findLimit({ plan, scenario: oneToOne }, parts, never);
  expect(result).toMatchObject({ outcome: 'void', limit: { stable: 2, unstable: null } });
  expect(result.because).toContain('5 of our pipelines. (E_NOT_CLEAN)');
});

test('a void baseline is no measure: the next one is judged as a baseline, too', async () => {
  const run = aSimulatedRun({ capacity: 2 });
  let joins = 0;
  const { parts, events } = {
    ...logged(run.parts, (call) => {
      if (call !== 'join') return;
      joins += 1;
      if (joins === 1) throw new TrialOver({ kind: 'stuck', text: 'An accident.' });
    }),
    events: run.events,
  };
  await findLimit({ plan, scenario: oneToOne }, parts, never);
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  expect(records.slice(0, 3).map(({ size, verdict }) => [size, verdict.kind])).toEqual([
    [1, 'void'],
    [1, 'stable'],
    [2, 'stable'],
  ]);
  const isAgainstBaseline = records.map(({ verdict }) => verdict.thresholds.some(({ code }) => code === 'low-bitrate'));
  expect(isAgainstBaseline.slice(0, 3)).toEqual([false, false, true]);
});

test('a Chromium that does not start is thrown, with its trial stored and the server stopped', async () => {
  const sink = aMemorySink();
  const run = aSimulatedRun({}, { sinks: [sink] });
  const { parts, calls } = logged(run.parts, (call) => {
    if (call === 'join') throw new LoadlineError('E_CHROMIUM_START', 'Chromium does not start.');
  });
  await expect(findLimit({ plan, scenario: oneToOne }, parts, never)).rejects.toMatchObject({
    code: 'E_CHROMIUM_START',
  });
  expect(sink.kept).toContain('trial 1 1 void');
  expect(calls.at(-1)).toBe('server.stop');
});

test('a server that does not start is thrown, and stopped all the same', async () => {
  const run = aSimulatedRun();
  const { parts, calls } = logged(run.parts, (call) => {
    if (call === 'server.start') throw new LoadlineError('E_SERVER_UNREACHABLE', 'no');
  });
  await expect(findLimit({ plan, scenario: oneToOne }, parts, never)).rejects.toMatchObject({
    code: 'E_SERVER_UNREACHABLE',
  });
  expect(calls).toEqual(['server.start', 'server.stop']);
});

test('try runs the baseline, then the size, which is the last trial of the result', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 3 });
  const result = await tryOnce({ plan, scenario: oneToOne }, 5, parts, never);
  expect(sizesOf(events)).toEqual([1, 5]);
  expect(result.trials.at(-1)).toMatchObject({ size: 5, verdict: 'unstable' });
});

test('try with the baseline size runs one trial', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 3 });
  const result = await tryOnce({ plan, scenario: oneToOne }, 1, parts, never);
  expect(sizesOf(events)).toEqual([1]);
  expect(result.trials.at(-1)).toMatchObject({ size: 1, verdict: 'stable' });
});

test('try with a baseline that is unstable ends there', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 0 });
  const result = await tryOnce({ plan, scenario: oneToOne }, 5, parts, never);
  expect(sizesOf(events)).toEqual([1, 1, 1, 1]);
  expect(result).toMatchObject({ outcome: 'baseline-unstable', limit: { stable: 0, unstable: 1 } });
});

test('try repeats void trials as often as allowed, and then says void', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 30, voidRate: 1 });
  const result = await tryOnce({ plan, scenario: oneToOne }, 5, parts, never);
  expect(sizesOf(events)).toEqual([1, 1, 1]);
  expect(result.outcome).toBe('void');
});

test('a stored run reads back with the records that were judged', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-find-'));
  const directory = await createRunDirectory({
    parent,
    scenario: 'one-to-one',
    server: 'simulated',
    startedAtMs: startMs,
  });
  const { parts, events } = aSimulatedRun(
    { capacity: 2 },
    { sinks: [runDirectorySink(directory)], runDirectory: directory },
  );
  const result = await findLimit({ plan, scenario: oneToOne }, parts, never);
  const stored = await readRun(directory);
  const told = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  expect(stored.records.map(({ samplesFile, ...record }) => record)).toEqual(told);
  expect(stored.result).toEqual(result);
  const { value, warning } = await stored.readSamples(1);
  expect(warning).toBeUndefined();
  const { startMs: from = 0, endMs = 0 } = stored.records[0]?.window ?? {};
  const inWindow = value.filter((sample) => sample.atMs > from && sample.atMs <= endMs);
  expect(inWindow).toHaveLength(stored.records[0]?.load.samplesGot ?? 0);
  expect(value.length).toBeGreaterThan(inWindow.length);
  expect((await stored.readEvidence(1)).value.probeHost.length).toBeGreaterThan(0);
  await rm(parent, { recursive: true });
});
