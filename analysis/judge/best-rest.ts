import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import { audioPacketsPerSecond } from '../../model/codec.js';
import type { StreamMetric } from '../../model/metric.js';
import { frozenTime } from '../measure/frozen.js';
import { burstMs, coveredMs, lossSums, percentLost, worstLossPercent5s } from '../measure/loss.js';
import type { LossSpan } from '../measure/loss-spans.js';
import {
  countedMs,
  legRoundTrips,
  metricOf,
  type StreamReading,
  totalMs,
  totalOf,
  valuesOf,
} from '../measure/stream-reading.js';
import type { ExpectedStream, StreamWindow } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import { baselineOfStream, type StreamMeasure } from './stream-rules.js';

/**
 * Between what values the aggregates of a stream can still end, whatever the rest of the window brings. Only those are
 * here that something limits: counts that never fall, means of what is never negative, and rates that a camera and a
 * rate cap hold down. `lowest` is for limits from above, `highest` for limits from below.
 */
export interface Bounds {
  readonly lowest: Aggregates;
  readonly highest: Aggregates;
}

/** What may be on its way, or held back in a buffer, when the rest begins; and losses that may still be repaired. */
const onTheWayMs = 3000;
/**
 * Cameras keep their pace, encoders stay near their cap; what a server mixes or a voice takes is known less well. Chosen, on
 * the generous side: a rest that is thought too good only ends a trial later. No standard has these numbers.
 */
const cameraPace = 1.05;
const overCap = 1.25;
const overUnknown = 2;
const leastAudioKbps = 64;
/** Packets hold more than this (libwebrtc fills up to 1200 bytes); frames are divided evenly, and each has one at least. */
const leastPacketBytes = 800;
/** The page reads once a second; a late reading is followed by a shorter one. */
const mostReadingsPerSecond = 1.2;

/** Of a stream in the window so far; `restMs` is the longest that can still be measured. */
export function boundsOf(
  { readings, losses }: StreamWindow,
  stream: ExpectedStream,
  restMs: number,
  measure: StreamMeasure,
  windowStartMs: number,
): Bounds {
  const received = stream.direction === 'receive';
  const rates = highestRates(readings, stream, measure);
  const readMs = totalMs(readings);
  const frozen = received && stream.kind === 'video' ? frozenTime(readings, windowStartMs) : undefined;
  const meanAtLeast = (values: readonly number[]) => leastMean(values, restMs);
  return {
    lowest: onlyMeasured({
      // Freezes to come can be longer, but only by freezing longer in all: what the longest leaves over never falls.
      frozenPercent: frozen && Math.min(100, (100 * frozen.totalMs) / (readMs + restMs)),
      frozenMs: frozen?.totalMs,
      longestFreezeMs: frozen?.longestMs,
      lossPercent: leastLoss(losses, uncounted(readings, losses) + (rates.packets * (restMs + onTheWayMs)) / 1000),
      worstLossPercent5s: coveredMs(losses) < burstMs ? undefined : worstLossPercent5s(repairedApart(losses)),
      jitterMs: meanAtLeast(valuesOf(readings, received ? 'jitterMs' : 'remoteJitterMs')),
      rttMs: received ? undefined : meanAtLeast(valuesOf(readings, 'rttMs')),
      legRttMs: meanAtLeast(legRoundTrips(readings)),
    }),
    highest: onlyMeasured({
      fps: stream.kind === 'video' ? mostPerSecond(readings, framesOf(received), rates.fps, restMs) : undefined,
      bitrateKbps: kbps(mostPerSecond(readings, bytesOf(received), rates.bytes, restMs)),
    }),
  };
}

const framesOf = (received: boolean) => (received ? 'framesDecoded' : 'framesSent');
const bytesOf = (received: boolean) => (received ? 'bytesReceived' : 'bytesSent');
const kbps = (bytes: number | undefined) => (bytes === undefined ? undefined : (bytes * 8) / 1000);

function highestRates(readings: readonly StreamReading[], stream: ExpectedStream, measure: StreamMeasure) {
  const known = baselineOfStream(stream, measure);
  const { media } = measure;
  const mixed = stream.direction === 'receive' && stream.from !== undefined && 'mix' in stream.from;
  const video = stream.kind === 'video';
  const usualKbps = Math.max(video ? media.videoKbps : leastAudioKbps, known?.bitrateKbps ?? 0);
  const received = stream.direction === 'receive';
  const bytes = Math.max(
    usualKbps * 125 * (video && !mixed ? overCap : overUnknown),
    highestPerSecond(readings, bytesOf(received)) * overCap,
  );
  const fps = Math.max(
    cameraPace * Math.max(media.framesPerSecond, measure.mixedFps ?? 0, known?.fps ?? 0),
    highestPerSecond(readings, framesOf(received)),
  );
  return {
    bytes,
    fps,
    packets: video ? overCap * (fps + bytes / leastPacketBytes) : overUnknown * audioPacketsPerSecond,
  };
}

function highestPerSecond(readings: readonly StreamReading[], metric: StreamMetric): number {
  let highest = 0;
  for (const reading of readings) {
    highest = Math.max(highest, ((metricOf(reading, metric) ?? 0) * 1000) / Math.max(1, reading.intervalMs));
  }
  return highest;
}

/** The rest may be anything between nothing that counts and its whole length at the highest rate. */
function mostPerSecond(
  readings: readonly StreamReading[],
  metric: StreamMetric,
  highest: number,
  restMs: number,
): number | undefined {
  const ms = countedMs(readings, metric);
  if (ms <= 0) return undefined;
  const best = (totalOf(readings, metric) ?? 0) + (highest * onTheWayMs) / 1000;
  return Math.max((best * 1000) / ms, ((best + (highest * restMs) / 1000) * 1000) / (ms + restMs));
}

function leastMean(values: readonly number[], restMs: number): number | undefined {
  if (values.length === 0 || values.some((value) => value < 0)) return undefined;
  return sum(values) / (values.length + Math.ceil((restMs / 1000) * mostReadingsPerSecond) + 1);
}

/**
 * As if every loss that was counted last were repaired, none came after it, and the rest were as many packets as can be.
 * Last is when the receiver counted last: what a server's report says lost can be told as repaired by its next one.
 */
function leastLoss(losses: readonly LossSpan[], mostPackets: number): number | undefined {
  const endMs = losses.at(-1)?.toMs ?? 0;
  const { lost, expected } = lossSums(
    losses.map((span) => (span.toMs > endMs - onTheWayMs ? { ...span, lost: Math.min(0, span.lost) } : span)),
  );
  // What came instead of being lost was expected all the same.
  return lost <= 0 ? undefined : percentLost({ lost, expected: expected + mostPackets });
}

/** Where resent packets are counted apart, a loss of the last seconds may still be taken off where it stands. */
function repairedApart(losses: readonly LossSpan[]): LossSpan[] {
  const endMs = losses.at(-1)?.toMs ?? 0;
  return losses.map((span) =>
    span.resentApart && span.toMs > endMs - onTheWayMs ? { ...span, lost: Math.min(0, span.lost) } : span,
  );
}

/** Packets that were sent and that no report has counted yet: the next one will. */
function uncounted(readings: readonly StreamReading[], losses: readonly LossSpan[]): number {
  const countedMs = losses.at(-1)?.toMs ?? 0;
  return (
    totalOf(
      readings.filter(({ atMs }) => atMs > countedMs),
      'packetsSent',
    ) ?? 0
  );
}
