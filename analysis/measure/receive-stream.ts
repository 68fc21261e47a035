import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { MediaKind } from '../../model/scenario.js';
import { mean, median, percentile } from '../statistics/statistics.js';
import { frozenTime } from './frozen.js';
import { lossPercent, worstLossPercent5s } from './loss.js';
import type { LossSpan } from './loss-spans.js';
import { percentOf, perSecond, type StreamReading, totalOf, valuesOf } from './stream-reading.js';

/** Aggregates of a received stream; empty when getStats never had it in the window. */
export function receiveAggregates(
  readings: readonly StreamReading[],
  kind: MediaKind,
  windowStartMs: number,
  losses: readonly LossSpan[],
): Aggregates {
  if (!readings.some((reading) => reading.stream)) return {};
  const jitters = valuesOf(readings, 'jitterMs');
  const bytesPerSecond = perSecond(readings, 'bytesReceived');
  return onlyMeasured({
    bitrateKbps: bytesPerSecond === undefined ? undefined : (bytesPerSecond * 8) / 1000,
    lossPercent: lossPercent(losses),
    worstLossPercent5s: worstLossPercent5s(losses),
    resentPercent: percentOf(totalOf(readings, 'resentPacketsReceived'), totalOf(readings, 'packetsReceived')),
    jitterMs: mean(jitters),
    jitterP95Ms: percentile(jitters, 95),
    jitterBufferMs: mean(valuesOf(readings, 'jitterBufferMs')),
    ...(kind === 'video' ? videoAggregates(readings, windowStartMs) : audioAggregates(readings)),
  });
}

function videoAggregates(readings: readonly StreamReading[], windowStartMs: number) {
  const frozen = frozenTime(readings, windowStartMs);
  return {
    fps: perSecond(readings, 'framesDecoded'),
    frozenPercent: frozen?.percent,
    frozenMs: frozen?.totalMs,
    longestFreezeMs: frozen?.longestMs,
    freezes: totalOf(readings, 'freezes'),
    framesDropped: totalOf(readings, 'framesDropped'),
    keyFrames: totalOf(readings, 'keyFramesDecoded'),
    nacksPerSecond: perSecond(readings, 'nacksSent'),
    plisPerSecond: perSecond(readings, 'plisSent'),
    frameWidth: median(valuesOf(readings, 'frameWidth')),
    frameHeight: median(valuesOf(readings, 'frameHeight')),
  };
}

function audioAggregates(readings: readonly StreamReading[]) {
  return {
    concealedPercent: percentOf(totalOf(readings, 'concealedSamples'), totalOf(readings, 'totalSamples')),
    silentConcealedPercent: percentOf(totalOf(readings, 'silentConcealedSamples'), totalOf(readings, 'totalSamples')),
    discardedPercent: percentOf(totalOf(readings, 'packetsDiscarded'), totalOf(readings, 'packetsReceived')),
    audioLevel: mean(valuesOf(readings, 'audioLevel')),
  };
}
