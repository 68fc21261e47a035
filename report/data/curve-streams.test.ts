import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, healthyBaseline, startMs } from '../../tests/builders/trial-builder.js';
import { barsOf } from '../page/bars.js';
import { shareAPage } from '../page/probe-order.js';
import { unpack } from '../page/unpack.js';
import { wordsOf } from '../page/words.js';
import { absentCell, type CurveName, curves } from '../wire/trial-data.js';
import { CurveGrid } from './curve-grid.js';
import { curveStreams } from './curve-streams.js';
import { probeRows, streamRows } from './probe-rows.js';
import { spansOf } from './span.js';
import { packed, trialData } from './trial-data.js';

const seconds = 12;
const watcher = aProbe('1a')
  .receivesVideoFrom('left', { kbps: 480, lossPercent: 0 })
  .receivesVideoFrom('right', { kbps: 120, fps: 8, lossPercent: 9 });
const record = aRecord([watcher, aProbe('1b')], { index: 2, size: 1, seconds });

test('each of several streams of a kind on one connection has a row, and the sums of its probe are without it', () => {
  const rows = streamRows(record, healthyBaseline());
  expect(rows.map(({ probe, name, receivedKbps }) => [probe, name, receivedKbps])).toEqual([
    [0, 'video from left', 480],
    [0, 'video from right', 120],
  ]);
  expect(rows.map(({ baselineReceivedKbps }) => baselineReceivedKbps)).toEqual([500, 500]);
  expect(rows.map(({ reasons }) => reasons.length > 0)).toEqual([false, true]);
  expect(rows[1]?.reasons.every((text) => text.includes('from right'))).toBe(true);
  const [first, second] = probeRows(record, healthyBaseline());
  expect(first).toMatchObject({ id: '1a' });
  expect(first).not.toHaveProperty('receivedKbps');
  expect(first).not.toHaveProperty('baselineReceivedKbps');
  expect(second?.receivedKbps).toBe(540);
});

test('a probe that asked for a layer says which, and how wide the pictures were', () => {
  const one = aProbe('1v1').receivesVideoFrom('1p', { kbps: 120, width: 320 });
  const asked = { name: 'high', width: 1280, kbps: 1700 } as const;
  const { probes, ...rest } = aRecord([one, aProbe('1b')], { index: 2, size: 1, seconds });
  const layered = probes.map((probe) => ({
    ...probe,
    participant: {
      ...probe.participant,
      legs: probe.participant.legs.map((leg) =>
        Array.isArray(leg.from) ? { ...leg, from: leg.from.map((from) => ({ ...from, layer: asked })) } : leg,
      ),
    },
  }));
  const rows = [...probeRows({ ...rest, probes: layered }, null), ...streamRows({ ...rest, probes: layered }, null)];
  expect(rows.map(({ layer }) => layer)).toContain('high (1280 px): 320 px');
});

test('a bar stands for each of such streams, in the colour of its own verdict, and for each other probe as before', () => {
  const baseline = healthyBaseline();
  const bars = barsOf({ probes: probeRows(record, baseline), streams: streamRows(record, baseline) });
  expect(bars.map(({ index, stream, failing }) => [index, stream?.name, failing])).toEqual([
    [0, 'video from left', false],
    [0, 'video from right', true],
    [1, undefined, false],
  ]);
  const usual = aRecord(calls(2), { index: 1, size: 2, seconds });
  expect(streamRows(usual, baseline)).toEqual([]);
  expect(barsOf({ probes: probeRows(usual, baseline), streams: [] })).toHaveLength(4);
});

test('a probe that fails by none of its streams colours them all, and by what it sends a bar of its own', () => {
  const fallen = aRecord([watcher.fails('disconnected', 'the connection was lost')], { index: 2, size: 1, seconds });
  const rows = { probes: probeRows(fallen, null), streams: streamRows(fallen, null) };
  expect(barsOf(rows).map(({ failing }) => failing)).toEqual([true, true]);
  const [probe] = rows.probes;
  const streams = rows.streams.map((stream) => ({ ...stream, reasons: [] }));
  const sending = barsOf({
    probes: probe ? [{ ...probe, sentKbps: 90, reasons: ['1a sent video at 90 kbit/s.'] }] : [],
    streams,
  });
  expect(sending.map(({ stream, failing }) => [stream?.kind, failing])).toEqual([
    ['video', false],
    ['video', false],
    [undefined, true],
  ]);
});

test('the curves of each stream are its own, and the curves of its probe are absent and not their sum', () => {
  const span = spansOf([record]).get(record.index);
  if (!span) throw new Error('no span');
  const grid = new CurveGrid(['1a', '1b'], span, curveStreams(record.probes));
  for (const sample of watcher.samples(startMs, seconds)) grid.add(sample);
  const { cells, table } = grid.table();
  const at = (name: CurveName, row: number) => {
    const column = curves.findIndex((curve) => curve.name === name);
    const cell = cells[(column * 4 + row) * table.bins + 3] ?? absentCell;
    return cell === absentCell ? null : Math.round(cell * (table.steps[column] ?? 0));
  };
  expect([0, 1, 2, 3].map((row) => at('receivedVideoKbps', row))).toEqual([null, null, 480, 120]);
  expect([0, 1, 2, 3].map((row) => at('fps', row))).toEqual([null, null, 30, 8]);
  expect([0, 1, 2, 3].map((row) => at('videoLossPercent', row))).toEqual([null, null, 0, 9]);
  expect([0, 1, 2, 3].map((row) => at('rttMs', row))).toEqual([20, null, null, null]);
});

/** As the page of the report has it. */
async function shown(probes: readonly ReturnType<typeof aProbe>[], changes: Partial<typeof record> = {}) {
  const own = { ...aRecord(probes, { index: 2, size: 1, seconds }), ...changes };
  const span = spansOf([own]).get(own.index);
  if (!span) throw new Error('no span');
  const run = aRun([own], { outcome: 'found', stable: 1 });
  const visitSamples = async (_: number, visit: (samples: readonly Sample[]) => void) => {
    for (const probe of probes) visit(probe.samples(startMs, seconds));
    return undefined;
  };
  const readEvidence = async () => ({ value: { probeHost: [], server: [] } });
  const source = { visitSamples, readEvidence };
  return unpack(await packed(await trialData(run, { record: own, baseline: null, span }, source)));
}

test('a curve over all says whether it is of probes or of their single streams', async () => {
  const trial = await shown([watcher, aProbe('1b')]);
  const of = (name: CurveName) => trial.spread(name).of;
  expect([of('rttMs'), of('receivedVideoKbps')]).toEqual(['all probes', 'all probes, and streams by themselves']);
  expect((await shown([watcher])).spread('receivedVideoKbps').of).toBe('all streams');
});

test('of more that happened than is shown the first is shown, and how much there was', async () => {
  const up = { type: 'probe-up', atMs: startMs, probe: '1a', join: {} } as const;
  const warning = { type: 'warning', atMs: startMs, text: 'late' } as const;
  const few = await shown([watcher], { events: [...Array.from({ length: 600 }, () => up), warning] });
  expect([few.data.events.map(({ text }) => text), few.data.notes]).toEqual([['late'], []]);
  const many = await shown([watcher], { events: Array.from({ length: 600 }, () => warning) });
  expect(many.data.events).toHaveLength(400);
  expect(many.data.notes).toEqual(['Of 600 things that happened the first 400 are shown.']);
});

test('a bar of who receives nothing says what it sends, and a page of another host is another one', () => {
  const [probe] = probeRows(record, null);
  if (!probe) throw new Error('no probe');
  const figures = { sentKbps: 90, baselineSentKbps: 100, lossPercent: 0 };
  expect(wordsOf({ probe, figures }, {})).toContain(': 90 kbit/s sent (90 % of the baseline), 0 % lost;');
  const on = (host: string) => ({ ...probe, host, page: 0 });
  expect([shareAPage(on('a'), on('a')), shareAPage(on('a'), on('b'))]).toEqual([true, false]);
});

test('loss beyond its limit does not read like the limit, and a little of it not like none', () => {
  const [probe] = probeRows(record, null);
  if (!probe) throw new Error('no probe');
  const lost = (lossPercent: number) => wordsOf({ probe, figures: { lossPercent } }, { lossPercent: 1 });
  expect(lost(1.004)).toContain('1.004 % lost');
  expect(lost(1)).toContain('1 % lost');
  expect(lost(0.004)).toContain('0.004 % lost');
});

test('lost messages are no loss of sound or pictures', () => {
  const [stream] = record.streams.filter(({ probe }) => probe === '1b');
  if (!stream) throw new Error('no stream');
  const data = { ...stream, kind: 'data', values: { lossPercent: 50 } } as const;
  const rows = probeRows({ ...record, streams: [...record.streams, data] }, null);
  expect(rows.find(({ id }) => id === '1b')?.lossPercent).toBe(0);
});

test('the curves of weeks of many probes have wider cells, and no more of them than a report holds', () => {
  const probes = Array.from({ length: 3000 }, (_, nth) => ({
    ...record.probes[0],
    participant: { id: `${nth}`, legs: [] },
  }));
  const weeksMs = 39 * 24 * 3600 * 1000;
  const window = { startMs, endMs: startMs + weeksMs };
  const long = { ...record, probes, phases: [], window } as never as typeof record;
  const span = spansOf([long]).get(record.index);
  if (!span) throw new Error('no span');
  expect(Math.ceil((span.toMs - span.fromMs) / span.binMs) * probes.length * curves.length).toBeLessThan(8_000_000);
});
