import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { MediaKind } from '../../model/scenario.js';
import type { LossScan } from './loss.js';
import type { MetricSums } from './metric-sums.js';
import type { ReadingFold } from './reading-fold.js';
import { percentOf } from './stream-reading.js';

/**
 * Aggregates of a sent stream; empty when getStats never had it in the window. Loss, jitter and RTT are the server's
 * reports; `loss` is of those that came in the window.
 */
export function sendAggregates(readings: ReadingFold, kind: MediaKind, loss: LossScan): Aggregates {
  if (!readings.wasKnown) return {};
  const { sums, spread } = readings;
  const bytesPerSecond = sums.perSecond('bytesSent');
  return onlyMeasured({
    bitrateKbps: bytesPerSecond === undefined ? undefined : (bytesPerSecond * 8) / 1000,
    lossPercent: loss.percent,
    worstLossPercent5s: loss.worstPercent5s,
    jitterMs: sums.mean('remoteJitterMs'),
    rttMs: sums.mean('rttMs'),
    rttP95Ms: spread.percentile(),
    roundTripsDropped: sums.total('roundTripsDropped'),
    targetKbps: sums.mean('targetKbps'),
    resentPercent: percentOf(sums.total('packetsResent'), sums.total('packetsSent')),
    ...(kind === 'video' ? videoAggregates(readings) : {}),
  });
}

function videoAggregates(readings: ReadingFold) {
  const { sums, widths, heights } = readings;
  const frames = sums.total('framesEncoded');
  const encodeMs = sums.total('encodeMs');
  return {
    fps: sums.perSecond('framesSent') ?? sums.perSecond('framesEncoded'),
    estimateKbps: readings.estimateKbps,
    sourceFps: sums.mean('sourceFps'),
    replacedPercent: replacedPercent(sums),
    encodeMsPerFrame: frames && encodeMs !== undefined ? encodeMs / frames : undefined,
    keyFrames: sums.total('keyFramesEncoded'),
    cpuLimitedPercent: readings.limitedPercent('cpu'),
    bandwidthLimitedPercent: readings.limitedPercent('bandwidth'),
    nacksPerSecond: sums.perSecond('nacksReceived'),
    plisPerSecond: sums.perSecond('plisReceived'),
    frameWidth: widths?.median(),
    frameHeight: heights?.median(),
  };
}

/** Of the seconds that know of encoding but not of replacing, all counts as not replaced. Absent for full probes. */
function replacedPercent(sums: MetricSums): number | undefined {
  const replaced = sums.total('framesReplaced');
  return replaced === undefined ? undefined : percentOf(replaced, sums.total('framesEncoded'));
}
