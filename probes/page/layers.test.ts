import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { encodings } from './senders.js';
import type { StatsReport } from './stats-report.js';
import { streamSamples } from './stream-samples.js';

const layers = [
  { rid: 'l', shrunkBy: 4, kbps: 200 },
  { rid: 'm', shrunkBy: 2, kbps: 600 },
  { rid: 'h', shrunkBy: 1, kbps: 1700 },
] as const;
const leg: Leg = { id: '1a', sends: ['audio', 'video'], receives: [], layers };

/** What getStats has of a sender of layers: one outbound-rtp each, told apart by rid. */
function report(bytes: Readonly<Record<string, number>>, off?: string): StatsReport {
  const entries = Object.entries(bytes).map(([rid, bytesSent]) => ({
    id: `O${rid}`,
    type: 'outbound-rtp',
    kind: 'video',
    timestamp: 0,
    rid,
    bytesSent,
    active: rid !== off,
  }));
  return new Map(entries.map((entry) => [entry.id, entry]));
}

const sent = (before: StatsReport, now: StatsReport) =>
  streamSamples(leg, before, now, { ageMs: 60_000 }).filter(({ kind }) => kind === 'video');

test('each layer of a sent video has a sample of its own, by its rid', () => {
  const got = sent(report({ h: 0, m: 0, l: 0 }), report({ h: 3000, m: 2000, l: 1000 }));
  expect(got.map(({ stream, metrics }) => [stream, metrics])).toEqual([
    ['l', { bytesSent: 1000 }],
    ['m', { bytesSent: 2000 }],
    ['h', { bytesSent: 3000 }],
  ]);
});

test('a layer that was switched off is paused, and one that is not there yet has no metrics', () => {
  const got = sent(report({ m: 0, h: 0 }, 'h'), report({ m: 2000, h: 0 }, 'h'));
  expect(got).toMatchObject([
    { stream: 'l', metrics: {} },
    { stream: 'm', metrics: { bytesSent: 2000 } },
    { stream: 'h', metrics: {}, paused: true },
  ]);
  expect(got.map((sample) => 'paused' in sample)).toEqual([false, false, true]);
});

test('of a picture that is new in getStats it is known when it came, and of one that was there before it is not new', () => {
  const shown: Leg = { id: '1b', sends: [], receives: ['video'], from: { participant: '1a' } };
  const reading = (timestamp: number, has: boolean): StatsReport => {
    const video = {
      id: 'I',
      type: 'inbound-rtp',
      kind: 'video',
      timestamp,
      mid: '0',
      frameWidth: 960,
      framesDecoded: 9,
    };
    const connection = { id: 'C', type: 'peer-connection', timestamp };
    return new Map([connection, ...(has ? [video] : [])].map((entry) => [entry.id, entry]));
  };
  const seen = (before: boolean, newWidthAtMs: number) => {
    const facts = { ageMs: 60_000, newWidths: new Map([['0', newWidthAtMs]]) };
    return streamSamples(shown, reading(5000, before), reading(6000, true), facts)[0]?.metrics;
  };
  expect(seen(false, 5700)).toEqual({ frameWidth: 960, newWidthMs: 300 });
  expect(seen(true, 5700)).toMatchObject({ newWidthMs: 300 });
  expect(seen(true, 4000)).not.toHaveProperty('newWidthMs');
});

test('a sender offers its layers with the highest first, each with its size and its rate', () => {
  const media = { width: 1280, height: 720, framesPerSecond: 30, videoKbps: 2500, videoCodec: 'VP8' } as const;
  expect(
    encodings(media, leg).map(({ rid, scaleResolutionDownBy, maxBitrate }) => [rid, scaleResolutionDownBy, maxBitrate]),
  ).toEqual([
    ['h', 1, 1_700_000],
    ['m', 2, 600_000],
    ['l', 4, 200_000],
  ]);
  const { layers: _, ...plain } = leg;
  expect(encodings(media, plain)).toEqual([{ maxBitrate: 2_500_000, maxFramerate: 30 }]);
});

test('of layers within one stream each picture is counted once, in as many layers as are sent', () => {
  const media = { width: 960, height: 540, framesPerSecond: 30, videoKbps: 1000, videoCodec: 'VP9' } as const;
  const svc = { mode: 'L3T3' } as const;
  const { layers: _, ...plain } = leg;
  expect(encodings({ ...media, svc }, plain)).toEqual([
    { maxBitrate: 1_000_000, maxFramerate: 30, scalabilityMode: 'L3T3' },
  ]);
  expect(encodings({ ...media, svc }, { ...plain, screen: true })).toEqual([
    { maxBitrate: 1_000_000, maxFramerate: 30 },
  ]);
  const at = (frames: number, frameWidth: number): StatsReport => {
    const source = { id: 'S', type: 'media-source', kind: 'video', timestamp: 0, width: 960 };
    const rest = { scalabilityMode: 'L3T3', mediaSourceId: 'S', frameWidth };
    const video = { id: 'O', type: 'outbound-rtp', kind: 'video', timestamp: 0, framesSent: frames, ...rest };
    return new Map([source, video].map((entry) => [entry.id, entry]));
  };
  const counted = (frames: number, width: number) =>
    streamSamples(plain, at(0, width), at(frames, width), { ageMs: 60_000 }).flatMap(({ kind, metrics }) =>
      kind === 'video' && 'framesSent' in metrics ? metrics.framesSent : [],
    );
  expect(counted(90, 960)).toEqual([30]);
  expect(counted(60, 480)).toEqual([30]);
  expect(counted(30, 240)).toEqual([30]);
});
