import { expect, test } from '@playwright/test';
import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { arrivalsRecord } from '../arrivals/arrivals-record.js';
import { judge } from './judge.js';

const window = { startMs, endMs: startMs + 60_000 };

/** One browser after the other, evenly over the window, each of which has its media half a second after it was due. */
function joins(count: number, changed: (nth: number) => Partial<ArrivedJoin> = () => ({})): ArrivedJoin[] {
  return Array.from({ length: count }, (_, nth) => {
    const dueMs = startMs + (60_000 * nth) / count;
    const at = (ms: number) => dueMs + ms;
    const steps = { createdMs: at(5), describedMs: at(20), answeredMs: at(30), connectedMs: at(200), servedMs: 15 };
    const join = { participant: `p${nth}`, session: `${nth}`, dueMs, begunMs: at(2), ...steps };
    return { ...join, firstFrameMs: at(500), endedMs: at(500), ...changed(nth) };
  });
}

const failedBy = (code: NonNullable<ArrivedJoin['failure']>['code'], detail: string): Partial<ArrivedJoin> => ({
  failure: { code, detail },
});

const arrivalsOf = (all: readonly ArrivedJoin[]) =>
  arrivalsRecord({
    ...{ sessionsPerSecond: 1, window, joins: all, stays: [], asleepMs: [[0]], areBrowsers: true },
    dueMs: new Map(all.map(({ participant, dueMs }) => [participant, dueMs])),
  });

/** The two ends of a call whose stay is wholly in the window, each read to its end. */
const comers = calls(1);
const there = { fromMs: startMs, untilMs: window.endMs };

/** A trial of browsers that come and go: who came as these joins tell, and seen by these. */
function byArrivals(
  all: readonly ArrivedJoin[],
  seen = comers,
  others: readonly ProbeRecord[] = [],
  options: TrialOptions = {},
) {
  const trial = aTrial(seen, options);
  const probes = [...trial.probes.map((probe) => ({ ...probe, there })), ...others];
  return judge({ ...trial, probes, load: { by: 'arrivals', mediaOf: 'comers' }, arrivals: arrivalsOf(all) });
}

test('browsers that joined in time and saw nothing make a stable trial', () => {
  expect(byArrivals(joins(100))).toMatchObject({ kind: 'stable', reasons: [] });
});

test('browsers that joined in time while CPU was stolen make a pass that confirms nothing', () => {
  const stolen: TrialOptions = { host: () => ({ stealCores: 0.44 }) };
  const passed = byArrivals(joins(100), comers, [], stolen);
  expect(passed).toMatchObject({ kind: 'stable', disturbedBy: [{ code: 'environment' }] });
  expect(passed.disturbedBy).toHaveLength(1);
  const late = joins(100, () => ({ failure: { code: 'ice-timeout', detail: 'no ICE connection in 10 s' } }));
  expect(byArrivals(late, comers, [], stolen)).toMatchObject({ kind: 'void', discardsFailure: true });
});

test('one who is refused of two thousand is no word of the server that would outweigh a host that was lost', () => {
  const lost = aProbe('9a').fails('host-lost', 'it went away').record();
  const all = joins(2000, (nth) => {
    if (nth === 0) return failedBy('refused', 'no room');
    return nth < 200 ? failedBy('host-lost', 'it went away') : {};
  });
  expect(byArrivals(all, comers, [lost])).toMatchObject({ kind: 'void', reasons: [{ code: 'host-lost' }] });
  const many = joins(2000, (nth) => (nth < 200 ? failedBy('refused', 'no room') : {}));
  expect(byArrivals(many, comers, [lost])).toMatchObject({ kind: 'unstable', reasons: [{ code: 'join-failed' }] });
});

test('browsers whose encoders or pages were short of CPU do not make the server late with its first frames', () => {
  const late = joins(100).map((join) => ({ ...join, firstFrameMs: join.dueMs + 6000 }));
  expect(byArrivals(late)).toMatchObject({ kind: 'unstable', reasons: [{ code: 'first-frame-late' }] });
  const starved = withProbes(comers, aProbe('1a').sendsVideo({ limitedBy: () => 'cpu' }));
  expect(byArrivals(late, starved)).toMatchObject({ kind: 'void', reasons: [{ code: 'encoder-cpu-limited' }] });
  const slow = withProbes(comers, aProbe('1a').isRead({ lateMs: () => 800 }));
  expect(byArrivals(late, slow)).toMatchObject({ kind: 'void', reasons: [{ code: 'page-timer-late' }] });
  // Where nobody noticed anything a late page has made nothing worse.
  expect(byArrivals(joins(100), slow).kind).toBe('stable');
});

test('browsers that never said what they send make the trial void, and those that were never answered make it unstable', () => {
  const stalled = failedBy('signalling-timeout', 'no SDP answer in 10 s');
  const some = (steps: Pick<ArrivedJoin, 'createdMs' | 'describedMs'>) =>
    joins(100).map((join, nth) => {
      const { participant, session, dueMs, begunMs = dueMs } = join;
      return nth < 5 ? { participant, session, dueMs, begunMs, ...steps, endedMs: dueMs + 10_000, ...stalled } : join;
    });
  const [createdMs, describedMs] = [startMs + 5, startMs + 20];
  const silent = byArrivals(some({ createdMs }));
  expect([silent.kind, ...new Set(silent.reasons.map(({ code }) => code))]).toEqual(['void', 'generator-late']);
  expect(silent.reasons[0]?.text).toBe(
    '5 of 100 browsers did not say in time what they send: the media server was not asked.',
  );
  expect(byArrivals(some({ createdMs, describedMs })).kind).toBe('unstable');
  // Who was not told who offers waits for the server, too.
  expect(byArrivals(some({})).kind).toBe('unstable');
});

test('where nobody had a whole stay in the window nothing is known of media, and the trial is void', () => {
  const trial = aTrial(comers);
  const judged = (stay: { readonly fromMs: number; readonly untilMs?: number }) => {
    const probes = trial.probes.map((probe) => ({ ...probe, there: stay }));
    const seen = { probes, load: { by: 'arrivals', mediaOf: 'comers' }, arrivals: arrivalsOf(joins(100)) } as const;
    return judge({ ...trial, ...seen });
  };
  expect(judged(there).kind).toBe('stable');
  for (const stay of [{ fromMs: startMs - 1, untilMs: window.endMs }, { fromMs: startMs + 5000 }]) {
    expect(judged(stay)).toMatchObject({
      kind: 'void',
      probesExhausted: false,
      reasons: [{ code: 'samples-missing' }],
    });
  }
});

test('a full host excuses no server that dropped by its own count what those who came did not get, unless load was missing', () => {
  const none = joins(100, (nth) => (nth < 20 ? failedBy('no-media', 'connected, but no video') : {}));
  const full = { host: () => ({ busyCores: 4, probeCores: 3.6 }) };
  const dropping = { ...full, server: () => ({ egressDroppedPackets: 40 }) };
  expect(byArrivals(none, comers, [], full)).toMatchObject({ kind: 'void', reasons: [{ code: 'probe-cpu' }] });
  const { kind, reasons } = byArrivals(none, comers, [], dropping);
  expect([kind, ...reasons.map(({ code }) => code)]).toEqual(['unstable', 'server-drops', 'join-failed']);
  const short = withProbes(comers, aProbe('1a').sendsVideo({ sourceFps: 10 }));
  expect(byArrivals(none, short, [], dropping).kind).toBe('void');
});
