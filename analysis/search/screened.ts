import type { SearchOptions } from '../../model/plan.js';
import type { Step, TrialOutcome } from '../../model/run.js';
import { forecasts } from './foresight.js';

/**
 * Trials that only steer the search may end once they are clearly stable (`judge/screening.ts`). Such a pass confirms
 * nothing, and gives way to whatever was measured to its end.
 */

/** So many contradictions show that values say nothing of what is to come: then no pass in screening is believed. */
const mostContradicted = 2;
/** In multiples of the largest full pass: no screening goes further, so that a server that fools it is met soon. */
const furthestScreened = 4;
/**
 * Of the nearest limit that anything foresees: what is said to be there may be wrong by several times, and a size that
 * is likely to hold is one that screening is seldom wrong about, whatever its values say (docs/lab/search.md).
 */
const wellBelowForeseen = 1 / 5;
/** From this share of the smallest failure on nothing is screened, and no screening is evidence. */
const farBelow = 0.8;

/**
 * Whether a trial only steers, at a size that all foresight says is far from the limit. What confirms a limit or
 * refutes the size above it is measured to its end. So is everything where nothing is foreseen, in a run in which
 * foresight was wrong, and in one in which a trial that was measured to its end has contradicted one that was not.
 */
export function maySteer(
  options: SearchOptions,
  { why, size }: Extract<Step, { kind: 'try' }>,
  history: readonly TrialOutcome[],
): boolean {
  if (options.screening === false || (options.strategy ?? 'bisect') !== 'bisect') return false;
  if (why !== 'grow' && why !== 'bisect') return false;
  const held = history.filter(({ verdict, screened }) => verdict === 'stable' && !screened).map((one) => one.size);
  const failed = smallestFailure(history);
  const isFar = size <= furthestScreened * Math.max(0, ...held) && size < farBelow * failed;
  if (!isFar || history.some((one) => (one.screened && one.size >= failed) || wasForeseenWrongly(one))) return false;
  const [nearest] = forecasts(history);
  return nearest !== undefined && size <= wellBelowForeseen * nearest.size;
}

function wasForeseenWrongly({ verdict, foresees }: TrialOutcome): boolean {
  return foresees !== undefined && verdict !== 'void' && verdict !== foresees;
}

/** A pass in screening gives way to a failure at or below its size: it is as if that size had not been tried. */
export function withoutContradictedScreening(history: readonly TrialOutcome[]): readonly TrialOutcome[] {
  const believed = screenedBelow(history, smallestFailure(history));
  return history.length - believed.length < mostContradicted ? believed : history.filter(({ screened }) => !screened);
}

/** What verdicts are weighed by where they contradict each other. */
export function evidenceIn(history: readonly TrialOutcome[]): readonly TrialOutcome[] {
  return screenedBelow(withoutContradictedScreening(history), farBelow * smallestFailure(history));
}

function screenedBelow(history: readonly TrialOutcome[], limit: number): readonly TrialOutcome[] {
  return history.filter(({ size, screened }) => !(screened && size >= limit));
}

function smallestFailure(history: readonly TrialOutcome[]): number {
  return history.reduce(
    (least, { size, verdict }) => (verdict === 'unstable' ? Math.min(least, size) : least),
    Number.POSITIVE_INFINITY,
  );
}
