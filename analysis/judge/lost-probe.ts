import { type AggregateName, type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import { audioPacketsPerSecond } from '../../model/codec.js';
import { expectedStreams, isMix, unaskedLayers } from '../../model/expected-streams.js';
import { groupedBy } from '../../model/grouped.js';
import type { StreamMetric } from '../../model/metric.js';
import { type MeasuredPlace, mostOf, placesIn } from '../measure/baseline-places.js';
import type { FoldedWindow } from '../measure/folded-window.js';
import { mayBeRepairedMs } from '../measure/loss-fold.js';
import type { ReadingFold } from '../measure/reading-fold.js';
import type { StreamFold } from '../measure/stream-fold.js';
import { type JudgeInput, measureOf } from './judge-input.js';
import { type LegRule, legRulesOf } from './leg-rules.js';
import { rulesOf } from './own-rules.js';
import { baselineOfStream, type StreamMeasure, type StreamRule, type StreamSubject } from './stream-rules.js';

type BoundedStream = Bounds & Pick<StreamSubject, 'stream' | 'readMs'>;

/** What `boundsOf` may say something of, by the side from which it is limited: rules on all else are not asked. */
const bounded: Readonly<Record<StreamRule['comparison'], ReadonlySet<AggregateName>>> = {
  'at-most': new Set<AggregateName>([
    ...(['seatedGapPercent', 'seatedGapMs', 'seatedLossPercent', 'jitterMs', 'rttMs', 'legRttMs'] as const),
    ...(['frozenPercent', 'frozenMs', 'longestFreezeMs', 'lossPercent', 'worstLossPercent5s'] as const),
    // They are the same where nothing is hidden.
    ...(['lossPercentAtMost', 'worstLossPercent5sAtMost'] as const),
  ]),
  'at-least': new Set<AggregateName>(['fps', 'bitrateKbps']),
};

/**
 * Whether a probe is lost: a stream or a leg of it is past its limit, and no rest of the window brings it back. It is
 * asked of each probe when its own samples have come so far, so that nobody has to look at all of them at once.
 *
 * @param fullEndMs the planned end of the window
 */
export function lostBy(
  input: Omit<JudgeInput, 'samples'>,
  startMs: number,
  fullEndMs: number,
): NonNullable<FoldedWindow['isLost']> {
  const whole = measureOf(input);
  const rules = rulesOf(whole.thresholds).filter(({ comparison, subject }) =>
    bounded[comparison].has(subject.aggregate),
  );
  const legRules = legRulesOf(whole.thresholds).filter((rule) => bounded['at-most'].has(rule.id(whole).aggregate));
  const isUnasked = unaskedLayers(expectedStreams(input.probes.map(({ participant }) => participant)));
  return (folds, lastMs, haltMs) => {
    // The window as it would be judged if it ended there.
    const partly = { ...whole, timing: { ...whole.timing, measureMs: haltMs - startMs } };
    // A stream whose source was away all the time has nothing to expect.
    const streams = folds
      .filter(({ readings, expected }) => readings.count > 0 && !isUnasked(expected))
      .map(
        (fold): BoundedStream => ({
          stream: fold.expected,
          readMs: fold.readings.readMs,
          ...boundsOf(fold, fullEndMs - lastMs, partly),
        }),
      );
    const measure = { ...partly, places: placesIn(atBest(folds, streams), whole.baseline, 'participant') };
    const legs = [...groupedBy(streams, ({ stream }) => stream.leg.id).values()].map((ofLeg) =>
      ofLeg.map(({ stream, lowest }) => ({ stream, values: lowest })),
    );
    return (
      legRules.some((rule) => legs.some((leg) => isLegPast(rule, leg, measure))) ||
      streams.some((one) => rules.some((rule) => isPast(rule, one, measure)))
    );
  };
}

const unbounded: Aggregates = { bitrateKbps: Number.POSITIVE_INFINITY, fps: Number.POSITIVE_INFINITY };

/**
 * All streams of a probe at their best, those that have not come yet, too: then what ends up at a rank is no better
 * than what stands there now, whatever the rest brings.
 */
function atBest(folds: readonly StreamFold[], streams: readonly BoundedStream[]): readonly MeasuredPlace[] {
  const known = new Map(streams.map(({ stream, highest }) => [stream, highest]));
  return folds.map(({ expected: stream }) => ({ stream, values: { ...unbounded, ...known.get(stream) } }));
}

/** Whether a leg stays beyond its limit, counted as the judge counts it. */
function isLegPast(rule: LegRule, leg: readonly StreamSubject[], measure: StreamMeasure): boolean {
  const found = rule.value(leg, measure);
  return found !== undefined && found.value > above(rule.limit(measure.thresholds));
}

function isPast(rule: StreamRule, { lowest, highest, ...subject }: BoundedStream, measure: StreamMeasure): boolean {
  if (!rule.concerns(subject.stream, measure)) return false;
  const limit = rule.limit(measure.thresholds);
  const atMost = rule.comparison === 'at-most';
  const value = rule.value({ ...subject, values: atMost ? lowest : highest }, measure);
  return value !== undefined && (atMost ? value > above(limit) : value < limit / above(1));
}

/** Sums of the same numbers in another order differ in their last digits. */
function above(limit: number): number {
  return limit * (1 + 1e-9) + 1e-12;
}

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
function boundsOf(fold: StreamFold, restMs: number, measure: StreamMeasure): Bounds {
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

/**
 * Between what values the aggregates of a stream can still end, whatever the rest of the window brings. Only those are
 * here that something limits: counts that never fall, means of what is never negative, and rates that a camera and a
 * rate cap hold down. `lowest` is for limits from above, `highest` for limits from below.
 */
interface Bounds {
  readonly lowest: Aggregates;
  readonly highest: Aggregates;
}
