import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { ReceiveMetric, SendMetric } from '../../model/metric.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import { lossPercent, lossSpans, worstLossPercent5s } from '../../tests/whole-lists.js';
import { leadMs } from './probe-fold.js';
import type { StreamReading } from './stream-reading.js';
import { summariseStreams } from './window.js';

/**
 * What Chromium read of one sent stream each second, behind a real Kurento 7.3: two calls whose links lose 3 % each
 * way, and a video stream of a server short of CPU, one of whose reports had underflown. `atMs` counts from the start
 * of the window.
 */
interface Recorded {
  readonly columns: readonly string[];
  readonly streams: readonly {
    readonly what: string;
    readonly probe: string;
    readonly kind: 'audio' | 'video';
    readonly windowMs: number;
    readonly rows: readonly (readonly (number | null)[])[];
  }[];
}

const { columns, streams } = JSON.parse(
  readFileSync(new URL('../../tests/kurento-vectors/receiver-reports.json', import.meta.url), 'utf8'),
) as Recorded;

function samplesOf({ probe, kind, rows }: Recorded['streams'][number]): Sample[] {
  return rows.map((row) => {
    const {
      atMs = 0,
      intervalMs = 0,
      ...metrics
    } = Object.fromEntries(row.flatMap((value, index) => (value === null ? [] : [[columns[index] ?? '', value]])));
    const stream: StreamSample = { leg: probe, direction: 'send', kind, metrics };
    return { probe, atMs, intervalMs, lateMs: 0, legs: [], streams: [stream] };
  });
}

function recordedValues(stream: Recorded['streams'][number], samples = samplesOf(stream)) {
  const { probe: id, kind, windowMs } = stream;
  const participant = { id, session: '1', role: 'caller', legs: [{ id, sends: [kind], receives: [] }] };
  return summariseStreams(samples, [participant], { startMs: 0, endMs: windowMs })[0]?.values ?? {};
}

for (const stream of streams.filter(({ kind }) => kind === 'audio')) {
  test(`a real server's reports every 4 to 6 s tell the loss of the link: ${stream.what}, ${stream.probe}`, () => {
    const { lossPercent: loss = 0, worstLossPercent5s: worst = 0 } = recordedValues(stream);
    expect(loss).toBeGreaterThan(2.5);
    expect(loss).toBeLessThan(3.6);
    expect(worst).toBeGreaterThanOrEqual(loss);
    expect(worst).toBeLessThan(6);
  });
}

test('the reports of four streams that lose 3 % say 3 % together, as near as 8,000 packets can', () => {
  const spans = streams
    .filter(({ kind }) => kind === 'audio')
    .flatMap((stream) =>
      lossSpans(samplesOf(stream).map(({ atMs, intervalMs, streams: [one] }) => ({ atMs, intervalMs, stream: one }))),
    );
  expect(lossPercent(spans)).toBeGreaterThan(2.7);
  expect(lossPercent(spans)).toBeLessThan(3.5);
});

test('a round trip of a report that underflowed is dropped when judging again, and counted', () => {
  const wrapped = streams.find(({ kind }) => kind === 'video');
  if (!wrapped) throw new Error('no video');
  const at = columns.indexOf('rttMs');
  expect(Math.max(...wrapped.rows.map((row) => row[at] ?? 0))).toBeGreaterThan(1_526_000);
  const { rttMs, rttP95Ms, roundTripsDropped } = recordedValues(wrapped);
  expect(rttMs).toBeLessThan(300);
  expect(rttP95Ms).toBeLessThan(600);
  expect(roundTripsDropped).toBe(1);
});

test('what a trial keeps of before its window is all that its window needs: judged again, it gives the same', () => {
  for (const stream of streams) {
    const samples = samplesOf(stream);
    const later = samples.map((sample) => ({ ...sample, atMs: sample.atMs + 1e6 }));
    const kept = later.filter(({ atMs }) => atMs >= 1e6 - leadMs);
    const window = { startMs: 1e6, endMs: 1e6 + stream.windowMs };
    const { probe: id, kind } = stream;
    const people = [{ id, session: '1', role: 'caller', legs: [{ id, sends: [kind], receives: [] }] }];
    expect(summariseStreams(kept, people, window)).toEqual(summariseStreams(later, people, window));
  }
});

const readings = (seconds: readonly StreamSample[], first = 0): StreamReading[] =>
  seconds.map((stream, index) => ({ atMs: 1000 * (first + index + 1), intervalMs: 1000, stream }));
const sent = (metrics: Partial<Record<SendMetric, number>>, rtx?: boolean): StreamSample => ({
  leg: '1a',
  direction: 'send',
  kind: 'video',
  metrics,
  ...(rtx === undefined ? {} : { rtx }),
});
const received = (metrics: Partial<Record<ReceiveMetric, number>>): StreamSample => ({
  leg: '1a',
  direction: 'receive',
  kind: 'video',
  metrics,
});
const quiet = sent({ packetsSent: 50 });
const report = (lost: number, more: Partial<Record<SendMetric, number>> = {}, rtx?: boolean) =>
  sent({ packetsSent: 50, remotePacketsLost: lost, remoteJitterMs: 3, ...more }, rtx);

test('a report counts the packets since the report before, and seconds that no report covers are in no span', () => {
  const spans = lossSpans(readings([quiet, report(9), quiet, quiet, quiet, report(10), quiet]));
  expect(spans).toMatchObject([{ fromMs: 2000, toMs: 6000, lost: 10, expected: 200 }]);
  expect(lossPercent(spans)).toBe(5);
});

test('a span of which a second is missing, or unknown, is left out whole', () => {
  const [one = [], other = []] = [readings([report(0), quiet]), readings([quiet, report(9), report(1)], 3)];
  expect(lossSpans([...one, ...other])).toMatchObject([{ toMs: 6000, lost: 1, expected: 50 }]);
  const restarted = readings([report(0), sent({}), report(9), report(2)]);
  expect(lossSpans(restarted)).toMatchObject([{ lost: 2, expected: 50 }]);
});

test('a count of the server that begins anew takes off nothing that was lost before, and what is repaired does', () => {
  const steady = Array.from({ length: 10 }, () => report(2));
  const anew = lossSpans(readings([report(0), ...steady, report(-18), ...steady]));
  expect(anew.map(({ lost }) => lost)).toEqual(Array(20).fill(2));
  expect(lossPercent(anew)).toBe(4);
  const repaired = lossSpans(readings([report(0), quiet, report(20), quiet, report(-18), quiet, report(0)]));
  expect(repaired.map(({ lost }) => lost)).toEqual([20, -18, 0]);
});

test('packets that were sent again are expected once', () => {
  const [span] = lossSpans(readings([report(0), quiet, report(5, { packetsSent: 60, packetsResent: 10 })]));
  expect(span).toMatchObject({ lost: 5, expected: 100 });
});

test('of reports longer than 5 s each counts as a whole, and of shorter ones as many as cover them', () => {
  const long = [report(0), ...Array(6).fill(quiet), report(35), ...Array(6).fill(quiet), report(7)];
  expect(worstLossPercent5s(lossSpans(readings(long)))).toBe(10);
  const short = [report(0), quiet, quiet, report(15), quiet, quiet, report(0), quiet, quiet, report(3)];
  expect(worstLossPercent5s(lossSpans(readings(short)))).toBe(5);
  const everySecond = [report(0), ...Array.from({ length: 10 }, (_, second) => report(second === 4 ? 25 : 0))];
  expect(worstLossPercent5s(lossSpans(readings(everySecond)))).toBe(10);
});

test('loss left after resending is the same with RTX, where the count never falls, and without, where it does', () => {
  const apart = lossSpans(
    readings([
      received({ packetsReceived: 95, packetsLost: 5, resentPacketsReceived: 0 }),
      received({ packetsReceived: 104, packetsLost: 0, resentPacketsReceived: 4 }),
    ]),
  );
  const together = lossSpans(
    readings([received({ packetsReceived: 95, packetsLost: 5 }), received({ packetsReceived: 104, packetsLost: -4 })]),
  );
  expect(lossPercent(apart)).toBeCloseTo(0.5, 9);
  expect(lossPercent(together)).toBeCloseTo(0.5, 9);
});

test('what comes on the SSRC for resending repairs no loss of more than 2 s before, nor any that comes later', () => {
  const second = (lost: number, resent: number) =>
    received({ packetsReceived: 100 - lost + resent, packetsLost: lost, resentPacketsReceived: resent });
  const spans = lossSpans(readings([second(0, 60), second(10, 0), second(0, 0), second(0, 0), second(0, 60)]));
  expect(lossPercent(spans)).toBeCloseTo(2, 9);
  expect(lossPercent(lossSpans(readings([second(10, 0), second(0, 60), second(0, 0)])))).toBe(0);
});

test('on the way up, what was sent again on an SSRC of its own is taken off, and nothing where it was not', () => {
  const again = { packetsSent: 54, packetsResent: 4 };
  const spans = (rtx: boolean) => lossSpans(readings([report(0, {}, rtx), report(5, again, rtx), report(0, {}, rtx)]));
  expect(lossPercent(spans(true))).toBe(1);
  expect(lossPercent(spans(false))).toBe(5);
});
