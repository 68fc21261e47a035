import { expect, test } from '@playwright/test';
import { type Plan, planSchema } from '../model/plan.js';
import type { RunResult } from '../model/run.js';
import type { TrialRecord } from '../model/trial.js';
import type { WarmUp } from '../model/warm-up.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { TurnRelay } from '../server-setup/turn/turn-relay.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { type Interference, type LoggedParts, logged } from '../tests/logged-parts.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { findLimit, tryOnce } from './find-limit.js';
import type { ResumedRun } from './resumed-run.js';

const timing = { measureMs: 6000, settleMs: 12_000 };
const plan = aPlan({ max: 4 }, { ...timing, warmUp: true });
const coldPlan = aPlan({ max: 4 }, { ...timing, warmUp: false });

interface Ran extends Pick<LoggedParts, 'calls'> {
  readonly result: RunResult;
  readonly records: readonly TrialRecord[];
  /** What was told of each warm-up, with the trial that it was before. */
  readonly told: readonly (readonly [number, WarmUp])[];
  readonly kept: readonly string[];
}

interface Running {
  readonly plan?: Plan;
  readonly server?: Partial<SimulationOptions>;
  readonly interfere?: (abort: AbortController, say: (kind: 'lost' | 'sessions-lost') => void) => Interference;
  readonly resumed?: ResumedRun;
}

async function run({ plan: asked = plan, server = {}, interfere, resumed }: Running = {}): Promise<Ran> {
  const abort = new AbortController();
  const sink = aMemorySink();
  const { parts, events } = aSimulatedRun({ capacity: 2, ...server }, { sinks: [sink] });
  const say = (kind: 'lost' | 'sessions-lost') =>
    wrapped.say({ kind, atMs: parts.clock.nowMs(), detail: 'exit code 139' });
  const wrapped: LoggedParts = logged(parts, interfere?.(abort, say));
  const result = await findLimit(
    { plan: asked, scenario: oneToOne, ...(resumed ? { resumed } : {}) },
    wrapped.parts,
    abort.signal,
  );
  return {
    result,
    calls: wrapped.calls,
    kept: sink.kept,
    records: events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : [])),
    told: events.flatMap((event) => (event.type === 'warmed-up' ? [[event.index, event.warmUp] as const] : [])),
  };
}

const cold = { coldJoinMs: 4600 };
/** A warm-up's part of what the conductor asks, between two resets. */
const aWarmUp = ['reset', 'join', 'open 1', 'leave', 'close 1', 'browsers end', 'reset'];
const firstFrames = ({ probes }: TrialRecord) => probes.map(({ join }) => join.firstFrameMs);

test('a cold server is not charged to the baseline: what its first joins take is told and not judged', async () => {
  const { records, told, result } = await run({ server: { coldJoinMs: 6000 } });
  expect(told).toEqual([
    [1, expect.objectContaining({ probesAsked: 2, probesUp: 2, joinMs: 6200, firstFrameMs: 6300 })],
  ]);
  expect(records[0]).toMatchObject({ verdict: { kind: 'stable' }, warmUp: told[0]?.[1] });
  expect(records[0] && firstFrames(records[0])).toEqual([400, 300]);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 2, unstable: 3 } });
  expect(result.trials.map(({ warmUp }) => warmUp?.joinMs)).toEqual([6200, ...records.slice(1).map(() => undefined)]);
});

test('without one the cold joins are judged, when that is what is asked', async () => {
  const { records, told } = await run({ plan: coldPlan, server: { coldJoinMs: 6000 } });
  expect(told).toEqual([]);
  expect(records[0]).toMatchObject({ verdict: { kind: 'unstable', reasons: [{ code: 'first-frame-late' }] } });
  expect(records[0]).not.toHaveProperty('warmUp');
});

test('it is one session of the baseline size on a clean server, which is proven clean after it', async () => {
  const { calls, records } = await run({ server: cold });
  expect(calls.slice(1, 10)).toEqual([...aWarmUp, 'join', 'open 1']);
  expect(calls.filter((call) => call === 'reset')).toHaveLength(records.length + 1);
  expect(records[0]?.phases.map(({ phase }) => phase).slice(0, 4)).toEqual(['reset', 'network', 'warm-up', 'join']);
});

test('nothing of it is a sample, an event or a record: the trials are those of a server that was never cold', async () => {
  const [warmed, never] = await Promise.all([run({ server: cold }), run({ plan: coldPlan })]);
  const told = ({ records }: Ran) =>
    records.map(({ events, streams, verdict, load }) => ({
      events: events.filter(({ type }) => type !== 'phase' && type !== 'server').map(({ atMs, ...event }) => event),
      ...{ streams, verdict, load },
    }));
  expect(told(warmed)).toEqual(told(never));
  expect(warmed.kept).toEqual(never.kept);
});

test('a run that is resumed warms the server up again, before its own first trial', async () => {
  const whole = await run({ server: cold });
  const { parts, events } = aSimulatedRun({ capacity: 2, ...cold });
  await findLimit({ plan, scenario: oneToOne }, parts, new AbortController().signal);
  const [started] = events;
  if (started?.type !== 'run-started') throw new Error('a run that did not start');
  const resumed = { manifest: started.manifest, records: whole.records.slice(0, 2) };
  const rest = await run({ server: { ...cold, past: [1, 2] }, resumed });
  expect(rest.told.map(([index]) => index)).toEqual([3]);
  expect(rest.result.limit).toEqual(whole.result.limit);
});

test('a server that is restarted before each trial is warmed up before each, and not restarted after it', async () => {
  const server = { kind: 'kurento', url: 'kurento://a:1', restartCommand: 'true' };
  const restarted = planSchema.parse({ ...plan, server });
  const { records, told } = await run({ plan: restarted, server: cold });
  expect(told.map(([index]) => index)).toEqual(records.map(({ index }) => index));
});

test('a server that went away and came back is cold, and warmed up again', async () => {
  const { told, records } = await run({
    interfere: (_, say) => (call) => {
      if (call === 'open 4') say('lost');
    },
  });
  const lost = records.find(({ verdict }) => verdict.reasons[0]?.code === 'server-lost');
  expect(told.map(([index]) => index)).toEqual([1, (lost?.index ?? 0) + 1]);
});

test('a server that refuses the warm-up is told with it, and the trial finds so itself', async () => {
  const { told, records } = await run({ server: { refusesAbove: 0.5 } });
  expect(told[0]?.[1]).toMatchObject({
    probesAsked: 2,
    probesUp: 1,
    failure: expect.stringContaining('1b was refused'),
  });
  expect(told[0]?.[1]).not.toHaveProperty('firstFrameMs');
  expect(records[0]).toMatchObject({ verdict: { kind: 'unstable', reasons: [{ code: 'join-failed' }] } });
});

test('a warm-up that does not come up within the limit on joining is given up', async () => {
  const { told, records } = await run({ server: { coldJoinMs: 20_000 } });
  expect(told[0]?.[1].failure).toMatch(/^1a .* 10\.1 s\.$/);
  expect(records[0]).toMatchObject({
    verdict: { kind: 'unstable', reasons: [{ code: 'join-failed' }, { code: 'join-failed' }] },
  });
});

test('a server that goes away in the warm-up and stays away did not carry one', async () => {
  const { told, result } = await run({ server: { diesAbove: 0.5 } });
  expect(told[0]?.[1].failure).toContain('its process ended (simulated)');
  expect(result).toMatchObject({
    ...{ outcome: 'server-lost', limit: { stable: null, unstable: 1 } },
    because: expect.stringContaining('E_SERVER_LOST'),
  });
});

test('a server that goes away in the warm-up and is back in time carries the trial', async () => {
  let opened = 0;
  const { told, records, result } = await run({
    interfere: (_, say) => (call) => {
      opened += call === 'open 1' ? 1 : 0;
      if (call === 'open 1' && opened === 1) say('sessions-lost');
    },
  });
  expect(told[0]?.[1].failure).toContain('went away');
  expect(records[0]?.verdict.kind).toBe('stable');
  expect(result.outcome).toBe('found');
});

test('what a relay carried for the warm-up is not counted to the trial: it is closed and opened again', async () => {
  const calls: string[] = [];
  const facts = { name: 'turn', url: 'turn:a', protocol: 'udp', ours: true, sameHost: true } as const;
  const relay: TurnRelay = {
    start: async () => facts,
    open: async () => {
      calls.push('open');
      const allocations = calls.length;
      return {
        accessFor: () => ({ url: 'turn:a', protocol: 'udp', username: '', credential: '' }),
        usage: async () => ({
          ...{ allocations, refused: 0, allocationsAtOnceMax: 0, bytesFromProbes: 0, bytesToProbes: 0 },
          complete: true,
        }),
        close: async () => void calls.push('close'),
      };
    },
    stop: async () => undefined,
  };
  const { parts, events } = aSimulatedRun({ capacity: 2, ...cold }, { relay });
  await tryOnce({ plan, scenario: oneToOne }, 1, parts, new AbortController().signal);
  expect(calls).toEqual(['open', 'close', 'open', 'close']);
  const [record] = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  expect(record?.turn?.allocations).toBe(3);
});

test('an interruption in the warm-up is a void trial, with everything undone and nothing measured', async () => {
  const { records, calls, result } = await run({
    server: cold,
    interfere: (abort) => (call) => {
      if (call === 'open 1') abort.abort();
    },
  });
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ verdict: { kind: 'void', reasons: [{ code: 'interrupted' }] } });
  expect(records[0]).not.toHaveProperty('window');
  expect(calls.filter((call) => call === 'join')).toHaveLength(1);
  expect(calls).toEqual(expect.arrayContaining(['leave', 'close 1', 'browsers end', 'server.stop']));
  expect(result.because).toContain('interrupted');
});

test('a budget counts the time of the warm-up, and foresees none for the trials after it', async () => {
  const whole = await run({ server: cold });
  const lengthsMs = whole.records.map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs);
  const tookMs = lengthsMs.reduce((sum, ms) => sum + ms, 0);
  const within = (budgetMs: number) =>
    run({ plan: aPlan({ max: 4, budgetMs }, { ...timing, warmUp: true }), server: cold });
  // The last one is foreseen to take as long as the longest, and the warm-up takes five seconds.
  const foreseenMs = Math.max(...lengthsMs.slice(1)) - (lengthsMs.at(-1) ?? 0);
  expect((await within(tookMs + foreseenMs + 1000)).records).toHaveLength(whole.records.length);
  const cut = await within(tookMs - 1000);
  expect(cut.records).toHaveLength(whole.records.length - 1);
  expect(cut.result.cutShort).toBe(true);
});
