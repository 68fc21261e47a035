import { expect, test } from '@playwright/test';
import type { Evidence, MemberReading, ServerReading, ThreadReading } from '../../model/evidence.js';
import { loadSummary } from './load-summary.js';

/** What 100 Mbit/s are in a second. */
const bytes = 12_500_000;

/** Each server sends as much each second; C is not read in each third one, and tells of two seconds in the next. */
function readingAt(second: number): ServerReading {
  const atMs = 1000 * second;
  const of = (server: string, times = 1): MemberReading =>
    times === 0 ? { server, atMs } : { server, atMs, egressBytes: times * bytes, egressDroppedPackets: times };
  const isAfterGap = second % 3 === 1 && second > 1;
  const servers = [of('A'), of('B'), of('C', second % 3 === 0 ? 0 : isAfterGap ? 2 : 1)];
  const sent = servers.flatMap(({ egressBytes }) => egressBytes ?? []);
  return { atMs, servers, ...(sent.length === 3 ? { egressBytes: sent.reduce((a, b) => a + b) } : {}) };
}

const cluster = Array.from({ length: 29 }, (_, nth) => readingAt(nth + 1));

const loadOf = (server: readonly ServerReading[], more: Partial<Evidence> = {}) =>
  loadSummary({
    probes: [],
    samples: [],
    evidence: { probeHost: [], server, ...more },
    window: { startMs: 0, endMs: 30_000 },
  });

test('the up-link of a cluster is that of its servers added up, though one is not read each third second', () => {
  const { serverEgressMbpsMean, serverEgressDropped, servers } = loadOf(cluster);
  expect(serverEgressMbpsMean).toBeCloseTo(300, 9);
  // What the first reading counts began before the window.
  expect(serverEgressDropped).toBe(28 + 28 + 28);
  expect(servers?.map(({ server, egressMbpsMean = 0 }) => [server, Math.round(egressMbpsMean)])).toEqual([
    ['A', 100],
    ['B', 100],
    ['C', 100],
  ]);
});

test('drops that a reading counts from before the window are of no server and of no relay in it', () => {
  const counts = (drops: readonly number[]) => drops.map((count, nth) => ({ atMs: 1000 * nth - 400, count }));
  const server = counts([0, 120, 0, 3]).map(({ atMs, count }) => {
    const egressDroppedPackets = count;
    return { atMs, egressDroppedPackets, servers: [{ server: 'A', atMs, egressDroppedPackets }] };
  });
  const turn = counts([0, 90, 0, 2]).map(({ atMs, count }) => ({ atMs, udpDrops: count }));
  const window = { startMs: 0, endMs: 3000 };
  const load = loadSummary({ probes: [], samples: [], evidence: { probeHost: [], server, turn }, window });
  expect(load).toMatchObject({ serverEgressDropped: 3, servers: [{ egressDropped: 3 }], turnUdpDrops: 2 });
});

test('what one server of a cluster never tells is not told of all', () => {
  const silent = cluster.map(({ atMs, servers = [] }) => ({ atMs, servers: [...servers, { server: 'D', atMs }] }));
  expect(loadOf(silent).serverEgressMbpsMean).toBeUndefined();
  expect(loadOf(silent).serverEgressDropped).toBeUndefined();
});

test('what a server sent before it fell silent is not told of the window', () => {
  const until = (seconds: number) =>
    cluster.map(({ atMs, servers = [] }) => ({
      atMs,
      servers: servers.map((one) => (one.server === 'A' && atMs > 1000 * seconds ? { server: 'A', atMs } : one)),
    }));
  for (const name of ['serverEgressMbpsMean', 'serverEgressDropped'] as const) {
    expect(loadOf(until(8))[name]).toBeUndefined();
    expect(loadOf(until(27))[name]).toBeDefined();
  }
  const [silent, other] = loadOf(until(8)).servers ?? [];
  expect(silent).toEqual({ server: 'A' });
  expect(other).toMatchObject({ server: 'B', egressMbpsMean: 100 });
});

const threadLoad = (of: (second: number) => Partial<ThreadReading>) =>
  loadOf(
    [1, 2, 3, 4].map((second) => {
      const fullestThread = { id: 7, cores: 0.99, waitedShare: 0.01 * second, ...of(second) };
      return { atMs: 1000 * second, fullestThread };
    }),
  ).serverThread;

test('threads that are full in turn are a full thread, and not a quarter of one each', () => {
  const inTurn = threadLoad((second) => ({ id: second, name: 'worker' }));
  expect(inTurn).toEqual({ name: 'worker', coresMean: expect.closeTo(0.99, 9), waitedPercent: expect.closeTo(2.5, 9) });
  expect(threadLoad((second) => ({ id: second, name: `worker-${second}` }))).not.toHaveProperty('name');
  expect(threadLoad((second) => ({ cores: second === 1 ? 0.19 : 0.99 }))?.coresMean).toBeCloseTo(0.79, 9);
});

test('a mean of the server that rests on few seconds of the window says so', () => {
  const of = (seconds: number) =>
    loadOf(Array.from({ length: seconds }, (_, nth) => ({ atMs: 1000 * (nth + 1), cpuCores: 0.5 }))).serverReadPercent;
  expect(of(12)).toBeCloseTo(40, 9);
  expect(of(29)).toBeUndefined();
  expect(of(0)).toBeUndefined();
});

test('of the server, a reading of three seconds weighs as three of one, and none is missing where its process is read', () => {
  const load = loadOf(
    [1000, 2000, 5000, 6000].map((atMs) => ({ atMs, cpuCores: atMs === 5000 ? 0.9 : 0.3, rssMb: 9 })),
  );
  expect(load.serverCoresMean).toBeCloseTo((0.3 * 3 + 0.9 * 3) / 6, 9);
  expect(load.serverReadPercent).toBeUndefined();
});

test('of each probe host, of a relay and of a thread, a reading of three seconds weighs as three of one, too', () => {
  const at = [-500, 1000, 2000, 5000, 6000];
  const each = <Reading extends object>(of: (high: boolean) => Reading) =>
    at.map((atMs) => ({ atMs, ...of(atMs === 5000) }));
  const host = (id: string) =>
    each((high) => ({ host: id, cores: 2, busyCores: high ? 1.8 : 0.6, stealCores: 0, probeCores: high ? 0.9 : 0.3 }));
  const probeHost = ['a', 'b'].flatMap(host).map((reading) => ({ ...reading, memoryAvailableMb: 1000 }));
  const server = each((high) => ({ fullestThread: { id: 7, cores: high ? 0.9 : 0.3, waitedShare: 0 } }));
  const load = loadOf(server, { probeHost, turn: each((high) => ({ cpuCores: high ? 0.9 : 0.3 })) });
  const mean = (0.3 * 3 + 0.9 * 3) / 6;
  expect(load.turnCoresMean).toBeCloseTo(mean, 9);
  expect(load.serverThread?.coresMean).toBeCloseTo(mean, 9);
  expect(load.probeHostBusyPercentMean).toBeCloseTo(100 * mean, 9);
  expect(load.probeCoresMean).toBeCloseTo(2 * mean, 9);
});

test('of a page of metrics, rates weigh as long as they span in the window, and alike where nothing says how long', () => {
  const source = 'http://far:9100/metrics';
  const of = (...spans: readonly (number | undefined)[]) => {
    const scraped = [4000, 10_000, 12_000].map((atMs, nth) => {
      const high = nth === 1;
      const spanMs = spans[nth];
      const part = { cpuCores: high ? 0.9 : 0.3, cpuQuotaCores: 1, quotaPeriods: 10, throttledPeriods: 5 };
      const host = { hostCores: 2, hostBusyCores: high ? 1.8 : 0.6, hostSentKbps: high ? 9000 : 3000 };
      return { atMs, source, ...part, ...host, ...(spanMs === undefined ? {} : { spanMs }) };
    });
    const load = loadOf([], { scraped });
    return [load.quotaCoresMean, load.serverHostBusyPercentMean, load.serverHostSentMbpsMean];
  };
  const all = (cores: number) => [cores, 100 * cores, 10 * cores].map((value) => expect.closeTo(value, 9));
  expect(of(15_000, 6000, 2000)).toEqual(all((0.3 * 4 + 0.9 * 6 + 0.3 * 2) / 12));
  expect(of()).toEqual(all(0.5));
});
