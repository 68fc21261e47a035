import { expect, test } from '@playwright/test';
import type { ArrivedJoin } from '../model/join.js';
import type { HostClock } from '../model/probe-host.js';
import type { FleetEvent, ProbeFailure, ProbeRecord } from '../model/trial.js';
import type { Fleet, FleetListener, FleetOptions } from '../probes/fleet.js';
import { aSample } from '../tests/stored-run.js';
import { onOneClock } from './one-clock.js';

const options: FleetOptions = {
  chromiumPath: 'none',
  media: { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' },
  probesPerPage: 4,
  pagesPerBrowser: 4,
};

/** A fleet of host b alone, whose clock may be measured anew, and what a conductor hears of it. */
function hostB(): {
  readonly fleet: Fleet;
  readonly tell: FleetListener;
  readonly heard: { readonly samplesAtMs: number[]; readonly events: FleetEvent[] };
  measured(clock: HostClock): void;
  failed(failure: ProbeFailure): void;
  stays(there: NonNullable<ProbeRecord['there']>): void;
  /** It tells of a join by arrivals. */
  joined(join: ArrivedJoin): Promise<ArrivedJoin | undefined>;
} {
  const heard = { samplesAtMs: [] as number[], events: [] as FleetEvent[] };
  let clock: HostClock = { offsetMs: 0, boundMs: 0 };
  let tell: FleetListener | undefined;
  const failures: ProbeFailure[] = [];
  let there: ProbeRecord['there'];
  let told: ArrivedJoin | undefined;
  const record = (): ProbeRecord => ({
    participant: { id: '1a', session: '1', role: 'caller', legs: [] },
    host: 'b',
    browser: 0,
    page: 0,
    up: true,
    join: {},
    failures: [...failures],
    ...(there ? { there } : {}),
  });
  const start = onOneClock((_, listener) => {
    tell = listener;
    return {
      join: async (_, { arriving }) => void (told && arriving?.onJoin(told)),
      hosts: () => [{ id: 'b', clock }],
      records: () => [record()],
      readHosts: async () => [],
      leave: async () => undefined,
      close: async () => undefined,
    };
  });
  const fleet = start(options, {
    onSamples: (samples) => heard.samplesAtMs.push(...samples.map(({ atMs }) => atMs)),
    onEvent: (event) => heard.events.push(event),
  });
  if (!tell) throw new Error('the fleet was not started');
  return {
    ...{ fleet, tell, heard, measured: (now) => (clock = now), failed: (failure) => failures.push(failure) },
    stays: (now) => (there = now),
    joined: async (join) => {
      told = join;
      let ours: ArrivedJoin | undefined;
      await fleet.join([], {
        ...{ pacePerSecond: 1, deadlineMs: 1000, signal: new AbortController().signal },
        negotiate: () => Promise.reject(new Error('nobody negotiates')),
        arriving: {
          ...{ nowMs: () => 0, dueMs: () => 0, partyOf: () => undefined, legsOf: () => [], atOnce: () => 1 },
          ...{ end: async () => undefined, onStay: () => undefined, onAsleep: () => undefined },
          onJoin: (one) => (ours = one),
        },
      });
      return ours;
    },
  };
}

test('a clock that is measured again during a trial sets right what comes after, and the record has the widest bound', () => {
  const { fleet, tell, heard, measured } = hostB();
  measured({ offsetMs: -2000, boundMs: 40 });
  tell.onSamples([{ ...aSample('1a', 10_000), host: 'b' }]);
  measured({ offsetMs: -2100, boundMs: 10 });
  tell.onSamples([{ ...aSample('1a', 11_000), host: 'b' }]);
  expect(heard.samplesAtMs).toEqual([8000, 8900]);
  expect(fleet.hosts()).toEqual([{ id: 'b', clock: { offsetMs: -2100, boundMs: 40 } }]);
});

test('a failure has one time, in its event and in its record, however the clock is corrected afterwards', () => {
  const { fleet, tell, heard, measured, failed } = hostB();
  const failure: ProbeFailure = { probe: '1a', code: 'disconnected', atMs: 5000, detail: 'gone' };
  measured({ offsetMs: 300, boundMs: 5 });
  failed(failure);
  tell.onEvent({ type: 'probe-failed', host: 'b', atMs: 5000, failure });
  measured({ offsetMs: 900, boundMs: 5 });
  expect(heard.events).toMatchObject([{ atMs: 5300, failure: { atMs: 5300 } }]);
  expect(fleet.records()[0]?.failures).toMatchObject([{ atMs: 5300 }]);
});

test('what is told of a host that is lost was seen from outside: its time stays as it is', () => {
  const { fleet, tell, heard, measured, failed } = hostB();
  measured({ offsetMs: 300, boundMs: 5 });
  failed({ probe: '1a', code: 'host-lost', atMs: 7000, detail: 'gone' });
  tell.onEvent({ type: 'host-lost', host: 'b', atMs: 7000, probes: ['1a'], detail: 'gone' });
  expect(heard.events).toMatchObject([{ atMs: 7000 }]);
  expect(fleet.records()[0]?.failures).toMatchObject([{ atMs: 7000 }]);
});

test('what names no host goes by the conductor clock', () => {
  const { tell, heard, measured } = hostB();
  measured({ offsetMs: 300, boundMs: 5 });
  tell.onSamples([aSample('1a', 10_000)]);
  expect(heard.samplesAtMs).toEqual([10_000]);
});

test("a join by arrivals is told by the clock of its host, but when it was due, which is the conductor's own", async () => {
  const { measured, joined } = hostB();
  measured({ offsetMs: -2000, boundMs: 5 });
  const join = { participant: '1a', session: '1', dueMs: 8000, begunMs: 10_010, answeredMs: 10_050, servedMs: 20 };
  expect(await joined({ ...join, host: 'b', endedMs: 10_300 })).toMatchObject({
    ...{ dueMs: 8000, begunMs: 8010, answeredMs: 8050, servedMs: 20, endedMs: 8300 },
  });
  expect(await joined({ ...join, endedMs: 10_300 })).toMatchObject({ begunMs: 10_010 });
});

test('a stay begins when its probe was told to be up, however the clock is corrected afterwards', () => {
  const { fleet, tell, heard, measured, stays } = hostB();
  measured({ offsetMs: -2000, boundMs: 5 });
  stays({ fromMs: 10_000 });
  tell.onEvent({ type: 'probe-up', host: 'b', atMs: 10_000, probe: '1a', join: {} });
  measured({ offsetMs: -2004, boundMs: 4 });
  stays({ fromMs: 10_000, untilMs: 15_000 });
  expect(heard.events).toMatchObject([{ atMs: 8000 }]);
  expect(fleet.records()[0]?.there).toEqual({ fromMs: 8000, untilMs: 13_000 });
});
