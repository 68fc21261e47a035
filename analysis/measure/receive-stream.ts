import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { MediaKind } from '../../model/scenario.js';
import type { LossScan } from './loss.js';
import type { ReadingFold } from './reading-fold.js';
import { percentOf } from './stream-reading.js';

/** Aggregates of a received stream; empty when getStats never had it in the window. */
export function receiveAggregates(readings: ReadingFold, kind: MediaKind, loss: LossScan): Aggregates {
  if (!readings.wasKnown) return {};
  const { sums, spread } = readings;
  const bytesPerSecond = sums.perSecond('bytesReceived');
  return onlyMeasured({
    bitrateKbps: bytesPerSecond === undefined ? undefined : (bytesPerSecond * 8) / 1000,
    lossPercent: loss.percent,
    worstLossPercent5s: loss.worstPercent5s,
    resentPercent: percentOf(sums.total('resentPacketsReceived'), sums.total('packetsReceived')),
    jitterMs: sums.mean('jitterMs'),
    jitterP95Ms: spread.percentile(),
    jitterBufferMs: sums.mean('jitterBufferMs'),
    ...(kind === 'video' ? videoAggregates(readings) : audioAggregates(readings)),
  });
}

function videoAggregates({ sums, frozen: still, widths, heights }: ReadingFold) {
  const frozen = still?.time();
  return {
    fps: sums.perSecond('framesDecoded'),
    frozenPercent: frozen?.percent,
    frozenMs: frozen?.totalMs,
    longestFreezeMs: frozen?.longestMs,
    freezes: sums.total('freezes'),
    framesDropped: sums.total('framesDropped'),
    keyFrames: sums.total('keyFramesDecoded'),
    nacksPerSecond: sums.perSecond('nacksSent'),
    plisPerSecond: sums.perSecond('plisSent'),
    frameWidth: widths?.median(),
    frameHeight: heights?.median(),
  };
}

function audioAggregates({ sums }: ReadingFold) {
  return {
    concealedPercent: percentOf(sums.total('concealedSamples'), sums.total('totalSamples')),
    silentConcealedPercent: percentOf(sums.total('silentConcealedSamples'), sums.total('totalSamples')),
    discardedPercent: percentOf(sums.total('packetsDiscarded'), sums.total('packetsReceived')),
    audioLevel: sums.mean('audioLevel'),
  };
}
