import { onlyMeasured } from '../../model/aggregate.js';
import { audioPacketsPerSecond } from '../../model/codec.js';
import { isMix } from '../../model/expected-streams.js';
import type { StreamMetric } from '../../model/metric.js';
import { mostOf } from '../measure/baseline-places.js';
import type { Bounds } from '../measure/bounds.js';
import { mayBeRepairedMs } from '../measure/loss-fold.js';
import type { ReadingFold } from '../measure/reading-fold.js';
import type { StreamFold } from '../measure/stream-fold.js';
import { baselineOfStream, type StreamMeasure } from './stream-rules.js';

/** What may be on its way, or held back in a buffer, when the rest begins; and losses that may still be repaired. */
const onTheWayMs = mayBeRepairedMs;
/**
 * Cameras keep their pace, encoders stay near their cap; what a server mixes or a voice takes is known less well.
 * Chosen, on the generous side: a rest that is thought too good only ends a trial later. No standard has these numbers.
 */
const cameraPace = 1.05;
const overCap = 1.25;
const overUnknown = 2;
const leastAudioKbps = 64;
/** Packets hold more (libwebrtc: up to 1200 bytes); frames are divided evenly, and each has at least one. */
const leastPacketBytes = 800;
/** The page reads once a second; a late reading is followed by a shorter one. */
const mostReadingsPerSecond = 1.2;

/** Of a stream in the window so far; `restMs` is the longest that can still be measured. */
export function boundsOf(fold: StreamFold, restMs: number, measure: StreamMeasure): Bounds {
  const { expected: stream, readings, losses, uncountedPackets } = fold;
  const received = stream.direction === 'receive';
  const rates = highestRates(fold, measure);
  const frozen = readings.frozen?.time();
  const { legRttMs, legRttIsNegative, legRttCount } = readings;
  return {
    lowest: onlyMeasured({
      // What was seen before the window.
      ...fold.seated,
      // Freezes to come can be longer, but only by freezing longer in all: what the longest leaves over never falls.
      frozenPercent: frozen && Math.min(100, (100 * frozen.totalMs) / (readings.readMs + restMs)),
      frozenMs: frozen?.totalMs,
      longestFreezeMs: frozen?.longestMs,
      lossPercent: losses.leastPercent(uncountedPackets + (rates.packets * (restMs + onTheWayMs)) / 1000),
      worstLossPercent5s: losses.leastWorstPercent5s(),
      jitterMs: leastMean(readings, received ? 'jitterMs' : 'remoteJitterMs', restMs),
      rttMs: received ? undefined : leastMean(readings, 'rttMs', restMs),
      legRttMs:
        legRttIsNegative || legRttMs === undefined ? undefined : readings.legRttSum / atMost(legRttCount, restMs),
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

function highestRates({ expected: stream, readings }: StreamFold, measure: StreamMeasure) {
  const known = baselineOfStream(stream, measure);
  const { media } = measure;
  const video = stream.kind === 'video';
  const usualKbps = Math.max(video ? media.videoKbps : leastAudioKbps, mostOf(known, 'bitrateKbps'));
  const bytes = Math.max(
    usualKbps * 125 * (video && !isMix(stream) ? overCap : overUnknown),
    readings.mostBytesPerSecond * overCap,
  );
  const fps = Math.max(
    cameraPace * Math.max(media.framesPerSecond, measure.mixedFps ?? 0, mostOf(known, 'fps')),
    readings.mostFramesPerSecond,
  );
  return {
    bytes,
    fps,
    packets: video ? overCap * (fps + bytes / leastPacketBytes) : overUnknown * audioPacketsPerSecond,
  };
}

/** The rest may be anything between nothing that counts and its whole length at the highest rate. */
function mostPerSecond(
  { sums }: ReadingFold,
  metric: StreamMetric,
  highest: number,
  restMs: number,
): number | undefined {
  const ms = sums.countedMs(metric);
  if (ms <= 0) return undefined;
  const best = (sums.total(metric) ?? 0) + (highest * onTheWayMs) / 1000;
  return Math.max((best * 1000) / ms, ((best + (highest * restMs) / 1000) * 1000) / (ms + restMs));
}

function leastMean({ sums }: ReadingFold, metric: StreamMetric, restMs: number): number | undefined {
  const total = sums.total(metric);
  if (total === undefined || sums.wasNegative(metric)) return undefined;
  return total / atMost(sums.count(metric), restMs);
}

/** How many readings a window can come to have that has so many now. */
function atMost(count: number, restMs: number): number {
  return count + Math.ceil((restMs / 1000) * mostReadingsPerSecond) + 1;
}
