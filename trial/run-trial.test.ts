import { expect, test } from '@playwright/test';
import { LoadlineError } from '../model/errors.js';
import type { PhaseName, TrialRecord } from '../model/trial.js';
import type { FleetListener } from '../probes/fleet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { type Interference, logged } from '../tests/logged-parts.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { aSample } from '../tests/stored-run.js';
import type { Parts } from './parts.js';
import { runTrial, type TrialResult } from './run-trial.js';
import { ServerWatch } from './server-watch.js';

const plan = aPlan({}, { measureMs: 10_000, settleMs: 20_000 });

interface Told extends TrialResult {
  readonly calls: readonly string[];
  readonly phases: readonly PhaseName[];
}

interface Telling {
  readonly size?: number;
  readonly settleMs?: number;
  readonly server?: Partial<SimulationOptions>;
  readonly interfere?: (parts: Parts, abort: AbortController, say: (kind: 'lost') => void) => Interference;
  /** Called at the start of each phase. */
  readonly onPhase?: (
    phase: PhaseName,
    say: (kind: 'lost') => void,
    abort: AbortController,
    trial: { readonly clock: Parts['clock']; listener(): FleetListener | undefined },
  ) => void;
}

/** Runs one trial on simulated parts that may be interfered with, and tells what happened. */
async function tell({ size = 2, server = {}, settleMs, interfere, onPhase }: Telling = {}): Promise<Told> {
  const abort = new AbortController();
  const say = (kind: 'lost') => told.say({ kind, atMs: run.parts.clock.nowMs(), detail: 'exit code 139' });
  const run = aSimulatedRun(
    { voidRate: 0, ...server },
    {
      sinks: [aMemorySink()],
      listener: (event) => {
        if (event.type === 'phase')
          onPhase?.(event.phase, say, abort, { clock: run.parts.clock, listener: told.fleetListener });
      },
    },
  );
  const told = logged(run.parts, interfere?.(run.parts, abort, say));
  const { parts } = told;
  const watch = new ServerWatch(parts.server);
  const facts = await parts.server.start(abort.signal);
  const setting = {
    run: {
      host: parts.host,
      server: facts,
      plan: settleMs === undefined ? plan : aPlan({}, { measureMs: 10_000, settleMs }),
    },
    scenario: oneToOne,
    parts,
    watch,
    index: 1,
    size,
    why: 'grow',
    baseline: null,
  } as const;
  const result = await runTrial(setting, abort.signal);
  return { ...result, calls: told.calls.slice(1), phases: result.record.phases.map(({ phase }) => phase) };
}

const undone = ['leave', 'close 1', 'close 2', 'browsers end'];
const codes = (record: TrialRecord) => record.verdict.reasons.map(({ code }) => code);
const warnings = (record: TrialRecord) =>
  record.events.flatMap((event) => (event.type === 'warning' ? [event.text] : []));

test('a trial lives its life in order, and is stored after all is undone', async () => {
  const { record, calls, phases } = await tell();
  expect(phases).toEqual([
    'reset',
    'network',
    'join',
    'settle',
    'measure',
    'leave',
    'check-recordings',
    'clear-network',
  ]);
  expect(calls).toEqual(['reset', 'join', 'open 1', 'open 2', ...undone, 'store stable']);
  expect(record).toMatchObject({ probesAsked: 4, probesUp: 4, verdict: { kind: 'stable' } });
});

test('the window is as long as planned, and lies within the measure phase', async () => {
  const { record } = await tell();
  const measure = record.phases.find(({ phase }) => phase === 'measure');
  expect(record.window).toEqual({ startMs: measure?.startedAtMs, endMs: (measure?.startedAtMs ?? 0) + 10_000 });
  expect(measure?.endedAtMs).toBeLessThan((record.window?.endMs ?? 0) + 1000);
});

test('settling ends before its bound when rates have stopped growing', async () => {
  const { record } = await tell();
  const settle = record.phases.find(({ phase }) => phase === 'settle');
  expect((settle?.endedAtMs ?? 0) - (settle?.startedAtMs ?? 0)).toBeLessThan(20_000);
});

for (const phase of [
  'reset',
  'network',
  'join',
  'settle',
  'measure',
  'leave',
  'check-recordings',
  'clear-network',
] as const) {
  test(`an interruption in the phase ${phase} is recorded as void, with everything undone`, async () => {
    const { record, calls, end } = await tell({ onPhase: (now, _, abort) => now === phase && abort.abort() });
    expect(end.kind).toBe('interrupted');
    expect(record.verdict.kind).toBe('void');
    expect(codes(record)).toEqual(['interrupted']);
    expect(calls.at(-1)).toBe('store void');
    const joined = calls.includes('join');
    expect(joined).toBe(phase !== 'reset' && phase !== 'network');
    expect(calls.includes('leave') && calls.includes('browsers end')).toBe(joined);
    for (const opened of calls.filter((call) => call.startsWith('open'))) {
      expect(calls).toContain(opened.replace('open', 'close'));
    }
    expect(warnings(record)).toEqual([]);
  });
}

for (const phase of ['join', 'settle', 'measure', 'leave'] as const) {
  test(`a media server that goes away in the phase ${phase} is a finding: unstable, server-lost`, async () => {
    const { record, calls, end } = await tell({ onPhase: (now, say) => now === phase && say('lost') });
    expect(end).toEqual({ kind: 'server-lost', detail: 'exit code 139' });
    expect(record.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'server-lost' }] });
    expect(calls.slice(-2)).toEqual(['browsers end', 'store unstable']);
    expect(record.events).toContainEqual(
      expect.objectContaining({ type: 'server', kind: 'lost', detail: 'exit code 139' }),
    );
  });
}

for (const phase of ['reset', 'network'] as const) {
  test(`a media server that goes away in the phase ${phase}, before any load, says nothing about the size`, async () => {
    const { record, calls } = await tell({ onPhase: (now, say) => now === phase && say('lost') });
    expect(record.verdict).toMatchObject({ kind: 'void', reasons: [{ code: 'environment' }] });
    expect(calls).not.toContain('join');
  });
}

test('a media server that dies while measuring ends the measuring at once, and what was measured is kept', async () => {
  const { record } = await tell({
    onPhase: (now, say) => now === 'measure' && setImmediate(() => setImmediate(() => say('lost'))),
  });
  const { startMs = 0, endMs = 0 } = record.window ?? {};
  expect(endMs - startMs).toBeLessThan(3000);
  expect(record.verdict.kind).toBe('unstable');
  expect(record.streams.length).toBeGreaterThan(0);
});

test('a server that dies under load is a finding, though probes were still joining', async () => {
  const { record } = await tell({ size: 6, server: { diesAbove: 3 } });
  expect(record.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'server-lost' }] });
  expect(record.probes.flatMap((probe) => probe.failures).map(({ code }) => code)).not.toContain('aborted');
});

test('a browser that crashes is recorded, and the trial goes on to its end', async () => {
  const { record, phases, end } = await tell({ size: 20, server: { capacity: 100, voidRate: 1, seed: 6 } });
  expect(record.events.map(({ type }) => type)).toContain('browser-crashed');
  expect(record.verdict).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(codes(record)[0]).toBe('browser-crashed');
  expect(phases).toHaveLength(8);
  expect(end.kind).toBe('complete');
});

test('with every probe crashed there is nothing left to measure, and the trial ends early', async () => {
  const { record, end } = await tell({ server: { voidRate: 1, seed: 3 }, settleMs: 1000 });
  expect(codes(record)[0]).toBe('browser-crashed');
  expect(record.verdict.kind).toBe('void');
  expect(end.kind).toBe('crashed');
  expect((record.window?.endMs ?? 0) - (record.window?.startMs ?? 0)).toBeLessThan(10_000);
});

test('an undo that fails is a warning, stops no other undo, and hides nothing', async () => {
  const { record, calls } = await tell({
    interfere: () => (call) => {
      if (call === 'leave' || call === 'close 1') throw new Error(`${call} failed`);
    },
  });
  expect(calls.slice(-5)).toEqual([...undone, 'store stable']);
  expect(warnings(record)).toEqual([
    'Could not hang up the probes: leave failed',
    'Could not close the sessions on the media server: 1 of 2 failed, the first with: close 1 failed',
  ]);
});

test('an undo that never ends is left behind after its bound', async () => {
  const { record, calls } = await tell({
    interfere: () => (call) => (call === 'leave' ? new Promise(() => undefined) : undefined),
  });
  expect(warnings(record)).toEqual(['Could not hang up the probes within 30 s.']);
  expect(calls.at(-1)).toBe('store stable');
});

test('a failing undo after a failure does not hide the failure', async () => {
  const { record, end } = await tell({
    interfere: () => (call) => {
      if (call === 'join') throw new LoadlineError('E_CHROMIUM_START', 'Chromium does not start.', { why: 'exit 127' });
      if (call === 'leave') throw new Error('nothing to leave');
    },
  });
  expect(end).toMatchObject({ kind: 'failed', error: { code: 'E_CHROMIUM_START' } });
  expect(record.verdict.reasons).toEqual([{ code: 'environment', text: 'Chromium does not start. exit 127' }]);
  expect(warnings(record)).toEqual(['Could not hang up the probes: nothing to leave']);
});

test('a media server that does not come clean fails the trial before any load', async () => {
  const { end, record, calls } = await tell({
    interfere: () => (call) => {
      if (call === 'reset') throw new LoadlineError('E_NOT_CLEAN', 'The media server still holds 3 of our pipelines.');
    },
  });
  expect(end).toMatchObject({ kind: 'failed', error: { code: 'E_NOT_CLEAN' } });
  expect(record.verdict).toMatchObject({
    kind: 'void',
    reasons: [{ text: 'The media server still holds 3 of our pipelines.' }],
  });
  expect(calls).toEqual(['reset', 'store void']);
});

test('sessions of others on the media server are a warning in each trial', async () => {
  const { record } = await tell({
    interfere: (parts) => {
      parts.server.reset = async () => ({ how: 'listed', tookMs: 10, released: 0, foreign: 3 });
      return () => undefined;
    },
  });
  expect(warnings(record)[0]).toContain('3 sessions of others');
});

test('samples that arrive just after the window they belong to are counted', async () => {
  const told = (late: boolean) =>
    tell({
      onPhase: (phase, _say, _abort, trial) => {
        if (phase !== 'measure' || !late) return;
        const endMs = trial.clock.nowMs() + 10_000;
        void trial.clock
          .sleep(10_400, new AbortController().signal)
          .then(() => trial.listener()?.onSamples([aSample('1a', endMs - 100)]));
      },
    });
  expect((await told(true)).record.load.samplesGot).toBe((await told(false)).record.load.samplesGot + 1);
});

test('a fleet that does not stop joining when told to is left behind', async () => {
  const { record, calls } = await tell({
    interfere: () => (call) => (call === 'join' ? new Promise(() => undefined) : undefined),
    onPhase: (phase, _, abort) => phase === 'join' && abort.abort(),
  });
  expect(record.verdict.reasons[0]?.code).toBe('interrupted');
  expect(record.endedAtMs - record.startedAtMs).toBeLessThan(11_000);
  expect(calls).toEqual(['reset', 'join', 'leave', 'browsers end', 'store void']);
});

test('a reset that never ends is given up', async () => {
  const { end } = await tell({
    interfere: () => (call) => (call === 'reset' ? new Promise(() => undefined) : undefined),
  });
  expect(end).toMatchObject({ kind: 'failed', error: { code: 'E_SERVER_TIMEOUT' } });
});

test('a fleet that never says whether its probes are up is given up: void, and everything undone', async () => {
  const { end, calls } = await tell({
    interfere: () => (call) => (call === 'join' ? new Promise(() => undefined) : undefined),
  });
  expect(end.kind).toBe('stuck');
  expect(calls).toEqual(['reset', 'join', 'leave', 'browsers end', 'store void']);
});

test('participants that the server refuses make the trial unstable, by name', async () => {
  const { record } = await tell({ size: 4, server: { refusesAbove: 3 } });
  expect(record).toMatchObject({ probesAsked: 8, probesUp: 6, verdict: { kind: 'unstable' } });
  expect(record.verdict.reasons.map(({ probe }) => probe)).toEqual(expect.arrayContaining(['4a', '4b']));
});

test('readings that fail are absent, and the trial goes on', async () => {
  const { record } = await tell({
    interfere: (parts) => {
      Object.assign(parts.server, { resources: () => Promise.reject(new Error('no')) });
      return () => undefined;
    },
  });
  expect(record.verdict.kind).toBe('stable');
  expect(record.load.serverCoresMean).toBeUndefined();
  expect(record.load.probeHostBusyPercentMean).toBeGreaterThan(0);
});

test('a disk that is full rejects the trial, after everything is undone', async () => {
  const calls: string[] = [];
  const full = tell({
    interfere: () => (call) => {
      calls.push(call);
      if (call.startsWith('store')) throw new LoadlineError('E_DISK_FULL', 'There is no room left.');
    },
  });
  await expect(full).rejects.toMatchObject({ code: 'E_DISK_FULL' });
  expect(calls.slice(-5)).toEqual([...undone, 'store stable']);
});
