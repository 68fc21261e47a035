import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import { type MeasuredPlace, placesIn } from '../measure/baseline-places.js';
import type { Bounds } from '../measure/bounds.js';
import type { FoldedWindow } from '../measure/probe-fold.js';
import type { StreamFold } from '../measure/stream-fold.js';
import { boundsOf } from './best-rest.js';
import { byLeg } from './by-leg.js';
import { type JudgeInput, measureOf } from './judge-input.js';
import { type LegRule, legRulesOf } from './leg-rules.js';
import { rulesOf } from './own-rules.js';
import type { StreamMeasure, StreamRule } from './stream-rules.js';

type BoundedStream = Bounds & { readonly stream: ExpectedStream };

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
  const rules = rulesOf(whole.thresholds);
  const legRules = legRulesOf(whole.thresholds);
  return (folds, lastMs, haltMs) => {
    // The window as it would be judged if it ended there.
    const partly = { ...whole, timing: { ...whole.timing, measureMs: haltMs - startMs } };
    // A stream whose source was away all the time has nothing to expect.
    const streams = folds
      .filter(({ readings }) => readings.count > 0)
      .map((fold): BoundedStream => ({ stream: fold.expected, ...boundsOf(fold, fullEndMs - lastMs, partly) }));
    const measure = { ...partly, places: placesIn(atBest(folds, streams), whole.baseline, 'participant') };
    return (
      legRules.some((rule) => isLegPast(rule, streams, measure)) ||
      streams.some((bounded) => rules.some((rule) => isPast(rule, bounded, measure)))
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
function isLegPast(rule: LegRule, streams: readonly BoundedStream[], measure: StreamMeasure): boolean {
  const limit = above(rule.limit(measure.thresholds));
  return [...byLeg(streams).values()].some((ofLeg) => {
    const subjects = ofLeg.map(({ stream, lowest }) => ({ stream, values: lowest }));
    const found = rule.value(subjects, measure);
    return found !== undefined && found.value > limit;
  });
}

function isPast(rule: StreamRule, { stream, lowest, highest }: BoundedStream, measure: StreamMeasure): boolean {
  if (!rule.concerns(stream, measure)) return false;
  const limit = rule.limit(measure.thresholds);
  const atMost = rule.comparison === 'at-most';
  const value = rule.value({ stream, values: atMost ? lowest : highest }, measure);
  return value !== undefined && (atMost ? value > above(limit) : value < limit / above(1));
}

/** Sums of the same numbers in another order differ in their last digits. */
function above(limit: number): number {
  return limit * (1 + 1e-9) + 1e-12;
}
