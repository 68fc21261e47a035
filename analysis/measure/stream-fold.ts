import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import { type ExpectedStream, isMuted } from '../../model/expected-streams.js';
import { isAway, type Sample, type StreamSample } from '../../model/sample.js';
import type { StreamKind } from '../../model/scenario.js';
import { type LossScan, lossOf } from './loss.js';
import { LossFold } from './loss-fold.js';
import { isReport, type LossSpan, spansIn } from './loss-spans.js';
import type { MetricSums } from './metric-sums.js';
import { mosOf } from './mos.js';
import type { NumberBlocks } from './number-blocks.js';
import { ReadingFold } from './reading-fold.js';
import { receiveAggregates } from './receive-stream.js';
import type { SeatedFold } from './seated-fold.js';
import { metricsOf, percentOf, type StreamReading } from './stream-reading.js';

/** Every second of one stream in a window, and the spans of its loss that ended in them. */
export interface StreamSeconds {
  readonly readings: readonly StreamReading[];
  readonly losses: readonly LossSpan[];
}

interface StreamFoldOptions {
  /** What was folded of it before the window. */
  readonly losses?: LossFold | undefined;
  readonly seated?: SeatedFold | undefined;
  readonly keepsSeconds: boolean;
  /** No more readings than that come in the window. */
  readonly mostReadings: number;
  readonly numbers: NumberBlocks;
}

export class StreamFold {
  readonly readings: ReadingFold;
  readonly losses: LossFold;
  /** What was seen of it before the window, while others joined. */
  readonly seated: Aggregates;
  /** Packets that were sent and that no report has counted yet: the next one will. */
  uncountedPackets = 0;
  /** Of a sent stream: how long the last seconds are in which no report of the server came. */
  unreportedMs = 0;
  private readonly kept: StreamReading[] | undefined;
  private thereSinceMs: number | undefined;

  constructor(
    readonly expected: ExpectedStream,
    { losses, seated, keepsSeconds, mostReadings, numbers }: StreamFoldOptions,
  ) {
    this.seated = seated?.values() ?? {};
    this.readings = new ReadingFold(expected, mostReadings, numbers);
    this.losses = losses ?? new LossFold();
    this.kept = keepsSeconds ? [] : undefined;
  }

  /** A sample of its probe that lies in the window; in order of time. `nth` of the streams of the probe it is. */
  add(sample: Sample, nth: number): void {
    const found = streamIn(sample, this.expected, nth);
    if (found && isAway(found)) {
      this.thereSinceMs = sample.atMs;
      this.readings.layer?.add(readingOf(sample, this.expected, found), true);
      return;
    }
    const reading = readingOf(sample, this.expected, found, this.thereSinceMs);
    this.readings.add(reading);
    this.losses.add(reading);
    if (this.losses.lastMs === reading.atMs) this.uncountedPackets = 0;
    else this.uncountedPackets += metricsOf(reading).packetsSent ?? 0;
    this.kept?.push(reading);
    if (this.expected.direction === 'receive') return;
    const { stream, intervalMs } = reading;
    const isReported = stream?.direction === 'send' && isReport(stream.metrics);
    this.unreportedMs = isReported ? 0 : this.unreportedMs + intervalMs;
  }

  values(): Aggregates {
    return { ...aggregatesOf(this.expected, this.readings, this.losses.all()), ...this.seated };
  }

  /** Where they are kept. */
  seconds(): StreamSeconds | undefined {
    return this.kept && { readings: this.kept, losses: this.losses.spans() };
  }
}

/** A part of the seconds of a stream, from one to before another, summed up as a window of its own. */
export function aggregatesOfPart(
  { readings, losses }: StreamSeconds,
  expected: ExpectedStream,
  from: number,
  to: number,
): Aggregates {
  const part = readings.slice(from, to);
  const fold = new ReadingFold(expected, part.length);
  for (const reading of part) fold.add(reading);
  return aggregatesOf(expected, fold, lossOf(spansIn(losses, part)));
}

/**
 * Aggregates of one expected stream over a window, by the names of `aggregate.ts`. What could not be measured is
 * absent, never zero.
 */
function aggregatesOf(expected: ExpectedStream, readings: ReadingFold, loss: LossScan): Aggregates {
  const { direction, kind } = expected;
  const { legRttMs, legRttP95Ms, legRoundTripsDropped } = readings;
  const received = direction === 'receive';
  const values = received ? receiveAggregates(readings, kind, loss) : sendAggregates(readings, kind, loss);
  // Of silence there is no opinion: it would stand for speech among those of others.
  const mos = received && kind === 'audio' && !isMuted(expected) ? mosOf(values, legRttMs) : undefined;
  return { ...values, ...onlyMeasured({ legRttMs, legRttP95Ms, legRoundTripsDropped, mos }) };
}

/** What one second said of one stream. `thereSinceMs` where its source was away before. */
export function readingOf(
  { atMs, intervalMs, legs }: Sample,
  expected: ExpectedStream,
  found: StreamSample | undefined,
  thereSinceMs?: number,
): StreamReading {
  const leg = legs.find((one) => one.leg === expected.leg.id);
  const stream = found && isKnown(found) ? found : undefined;
  const asked = found?.direction === 'receive' ? found.asked : undefined;
  const {
    rttMs: legRttMs,
    roundTripsDropped: legRoundTripsDropped,
    availableOutgoingKbps: legEstimateKbps,
  } = leg ?? {};
  return { atMs, intervalMs, stream, asked, thereSinceMs, legRttMs, legRoundTripsDropped, legEstimateKbps };
}

/** @param nth where it is likeliest: pages tell the streams of a probe in the order in which they are expected */
export function streamIn(
  { streams }: Sample,
  { leg, direction, kind, stream }: ExpectedStream,
  nth: number,
): StreamSample | undefined {
  const isIt = (one: StreamSample) =>
    one.leg === leg.id && one.direction === direction && one.kind === kind && one.stream === stream;
  const likely = streams[nth];
  return likely && isIt(likely) ? likely : streams.find(isIt);
}

/**
 * The page gives a stream that getStats does not have, or not any more, without one metric: in that second nothing
 * came, or left. One that has begun anew is there, and nothing is known of that second.
 */
function isKnown({ metrics, restarted }: StreamSample): boolean {
  for (const _ in metrics) return true;
  return restarted === true;
}

/**
 * Aggregates of a sent stream; empty when getStats never had it in the window. Loss, jitter and RTT are the server's
 * reports; `loss` is of those that came in the window.
 */
function sendAggregates(readings: ReadingFold, kind: StreamKind, loss: LossScan): Aggregates {
  if (!readings.wasKnown) return {};
  if (kind === 'data') return onlyMeasured({ messagesPerSecond: readings.sums.perSecond('messagesSent') });
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
    spokenPercent: readings.speech?.values().spokenPercent,
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
    askedFps: sums.mean('askedFps'),
    replacedPercent: replacedPercent(sums),
    drawnFps: sums.perSecond('drawnFrames'),
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
