import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { QualityLimitation } from '../../model/metric.js';
import type { MediaKind } from '../../model/scenario.js';
import { mean, median, percentile } from '../statistics/statistics.js';
import { lossPercent, worstLossPercent5s } from './loss.js';
import type { LossSpan } from './loss-spans.js';
import { legEstimates, percentOf, perSecond, type StreamReading, totalOf, valuesOf } from './stream-reading.js';

/**
 * Aggregates of a sent stream; empty when getStats never had it in the window. Loss, jitter and RTT are the server's
 * reports; `losses` are the spans of those that came in the window.
 */
export function sendAggregates(
  readings: readonly StreamReading[],
  kind: MediaKind,
  losses: readonly LossSpan[],
): Aggregates {
  if (!readings.some((reading) => reading.stream)) return {};
  const bytesPerSecond = perSecond(readings, 'bytesSent');
  const rtts = valuesOf(readings, 'rttMs');
  return onlyMeasured({
    bitrateKbps: bytesPerSecond === undefined ? undefined : (bytesPerSecond * 8) / 1000,
    lossPercent: lossPercent(losses),
    worstLossPercent5s: worstLossPercent5s(losses),
    jitterMs: mean(valuesOf(readings, 'remoteJitterMs')),
    rttMs: mean(rtts),
    rttP95Ms: percentile(rtts, 95),
    roundTripsDropped: totalOf(readings, 'roundTripsDropped'),
    targetKbps: mean(valuesOf(readings, 'targetKbps')),
    resentPercent: percentOf(totalOf(readings, 'packetsResent'), totalOf(readings, 'packetsSent')),
    ...(kind === 'video' ? videoAggregates(readings) : {}),
  });
}

function videoAggregates(readings: readonly StreamReading[]) {
  const frames = totalOf(readings, 'framesEncoded');
  const encodeMs = totalOf(readings, 'encodeMs');
  return {
    fps: perSecond(readings, 'framesSent') ?? perSecond(readings, 'framesEncoded'),
    estimateKbps: mean(legEstimates(readings)),
    sourceFps: mean(valuesOf(readings, 'sourceFps')),
    replacedPercent: replacedPercent(readings),
    encodeMsPerFrame: frames && encodeMs !== undefined ? encodeMs / frames : undefined,
    keyFrames: totalOf(readings, 'keyFramesEncoded'),
    cpuLimitedPercent: limitedPercent(readings, 'cpu'),
    bandwidthLimitedPercent: limitedPercent(readings, 'bandwidth'),
    nacksPerSecond: perSecond(readings, 'nacksReceived'),
    plisPerSecond: perSecond(readings, 'plisReceived'),
    frameWidth: median(valuesOf(readings, 'frameWidth')),
    frameHeight: median(valuesOf(readings, 'frameHeight')),
  };
}

/** Of the seconds that know of encoding but not of replacing, all counts as not replaced. Absent for full probes. */
function replacedPercent(readings: readonly StreamReading[]): number | undefined {
  const replaced = totalOf(readings, 'framesReplaced');
  return replaced === undefined ? undefined : percentOf(replaced, totalOf(readings, 'framesEncoded'));
}

/** The share of the time in which the encoder said that this limited it. */
function limitedPercent(readings: readonly StreamReading[], limitation: QualityLimitation): number | undefined {
  let saidMs = 0;
  let limitedMs = 0;
  for (const { stream, intervalMs } of readings) {
    if (stream?.direction !== 'send' || !stream.qualityLimitation) continue;
    saidMs += intervalMs;
    if (stream.qualityLimitation === limitation) limitedMs += intervalMs;
  }
  return percentOf(limitedMs, saidMs);
}
