import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aManifest, aRecord, aSample } from '../../tests/stored-run.js';
import type { DataPoint } from '../points/data-point.js';
import { runStartPoint, runTags, trialTags } from '../points/run-points.js';
import { evidencePoints, samplePoints } from '../points/sample-points.js';
import { eventPoint, trialPoints } from '../points/trial-points.js';
import { lineOf } from './influx-writer.js';

const linesOf = (points: readonly DataPoint[]) => points.flatMap((point) => lineOf(point) ?? []);

const aPoint = (changes: Partial<DataPoint>): DataPoint => ({
  measurement: 'm',
  tags: {},
  fields: { v: 1 },
  isOfSecond: false,
  atMs: 1_700_000_000_123,
  ...changes,
});

test('a point becomes one line, its time in nanoseconds to the last digit', () => {
  expect(lineOf(aPoint({ tags: { run: 'a' }, fields: { v: 1.5, ok: true, text: 'hello' }, nth: 7 }))).toBe(
    'm,run=a ok=T,text="hello",v=1.5 1700000000123000007',
  );
});

test('numbers that are none, absent fields and empty tags are left out, and a point of nothing is no line', () => {
  expect(lineOf(aPoint({ tags: { a: '', b: undefined, c: 'x' }, fields: { v: 1, n: Number.NaN, u: undefined } }))).toBe(
    'm,c=x v=1 1700000000123000000',
  );
  expect(linesOf([aPoint({ fields: { n: Number.POSITIVE_INFINITY } })])).toEqual([]);
});

test('what stands in a tag or text cannot break out of its line', () => {
  const line = lineOf(aPoint({ tags: { who: 'a b,c=d\nm v=2 \\' }, fields: { text: 'say "hi"\\ <script>,x=1' } }));
  expect(line).toBe('m,who=a\\ b\\,c\\=d\\ m\\ v\\=2 text="say \\"hi\\"\\\\ <script>,x=1" 1700000000123000000');
});

const run = runTags('run-1', aManifest());
const tags = trialTags(run, 3, {});

test('what --label says of a run is a tag of every point, apart from the tags that points have of themselves', () => {
  const labelled = runTags('run-1', { ...aManifest(), labels: { region: 'eu', run: 'mine' } });
  expect(labelled).toEqual({ ...run, label_region: 'eu', label_run: 'mine' });
});

test('a sample becomes a point of the probe, of each leg and of each stream, with who the probe is', () => {
  const points = samplePoints(tags, () => ({ session: '1', role: 'caller', legs: [] }), aSample('1a', 5000));
  const who = {
    run: 'run-1',
    scenario: 'one-to-one',
    server: 'embedded 0.1.0',
    trial: '3',
    probe: '1a',
    session: '1',
    role: 'caller',
  };
  expect(points).toMatchObject([
    { measurement: 'loadline_probe', tags: who, fields: { intervalMs: 1000, lateMs: 1.5 }, atMs: 5000 },
    { measurement: 'loadline_leg', tags: { ...who, leg: '1a' }, fields: { connectionState: 'connected', rttMs: 2 } },
    {
      measurement: 'loadline_stream',
      tags: { ...who, leg: '1a', direction: 'receive', kind: 'video' },
      fields: { bytesReceived: 62_500, framesDecoded: 30, bitrateKbps: 500, fps: 30 },
    },
  ]);
});

test('a metric that getStats did not have is no field, never a zero', () => {
  const [, , stream] = samplePoints(tags, () => undefined, {
    ...aSample('1a', 5000),
    streams: [{ leg: '1a', direction: 'send', kind: 'audio', metrics: { packetsSent: 50 } }],
  });
  expect(Object.entries(stream?.fields ?? {}).filter(([, value]) => value !== undefined)).toEqual([
    ['intervalMs', 1000],
    ['packetsSent', 50],
  ]);
});

test('events of one millisecond and thresholds of one name stay apart', () => {
  const event = { type: 'warning', atMs: 1, text: 'x' } as const;
  const threshold = {
    id: { of: 'other', name: 'a' },
    code: 'threshold',
    label: 'a',
    limitText: '',
    unit: '',
    limit: 1,
    comparison: 'at-most',
    worst: null,
    passed: false,
  } as const;
  const record = aRecord(3, {
    verdict: { kind: 'unstable', reasons: [], thresholds: [threshold, { ...threshold, label: 'b' }] },
  });
  const points = [0, 1].map((nth) => eventPoint(tags, 4, event, nth)).concat(trialPoints(tags, record));
  const lines = linesOf(points);
  expect(new Set(lines.map(placeOf)).size).toBe(points.length);
});

test('a first frame is exported as it is judged: from when its sources had started', () => {
  const join = { dtlsConnectedMs: 300, firstFrameMs: 5800, sourcesStartedMs: 5000 };
  const probe = aProbe('1a').joined(join).record();
  const points = trialPoints(tags, aRecord(3, { probes: [probe] }));
  expect(points.find((point) => point.measurement === 'loadline_probe_trial')?.fields).toMatchObject({
    dtlsConnectedMs: 300,
    firstFrameMs: 800,
    sourcesStartedMs: 5000,
  });
});

test('the points of a run have what dashboards group by, and every line is whole', () => {
  const evidence = {
    probeHost: [{ atMs: 1, cores: 4, busyCores: 1, stealCores: 0, probeCores: 1, memoryAvailableMb: 9 }],
    server: [{ atMs: 1 }],
    turn: [{ atMs: 1, cpuCores: 0.1, rssMb: 12, udpDrops: 0, allocations: 4 }],
  };
  const points = [runStartPoint(run, aManifest()), ...evidencePoints(tags, evidence), ...trialPoints(tags, aRecord(3))];
  expect(points.every((point) => point.tags.run === 'run-1' && point.tags.server === 'embedded 0.1.0')).toBe(true);
  expect(points.find((point) => point.measurement === 'loadline_host')?.fields.busyPercent).toBe(25);
  expect(points.find((point) => point.measurement === 'loadline_turn')?.fields).toEqual({
    reading: true,
    cpuCores: 0.1,
    rssMb: 12,
    udpDrops: 0,
    allocations: 4,
  });
  expect(linesOf(points)).toHaveLength(points.length);
  for (const line of linesOf(points)) expect(line).toMatch(/^loadline_\w+,.* \d{7,19}$/);
});

/** What InfluxDB tells points apart by: measurement, tags and time. */
function placeOf(line: string): string {
  return `${line.split(' ')[0]} ${line.split(' ').at(-1)}`;
}
