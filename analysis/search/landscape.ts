import type { SearchOptions } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { withoutHastyFailures } from './hurry.js';
import { withoutContradictedScreening } from './screened.js';
import { isUnsure, judgedIn } from './unsure.js';

export interface Tally {
  readonly size: number;
  /** In trials that were measured to their end. */
  readonly passes: number;
  readonly fails: number;
  /** Passes that steer and confirm nothing: of trials ended as clearly stable, and of disturbed ones. */
  readonly screened: number;
  /** Of the passes, those of trials that failed by a background; absent: none. */
  readonly background?: number;
}

/** The size from which on the probe side says nothing. */
export interface Ceiling {
  readonly size: number;
  /** `exhausted`: the size itself is too much for the probes; `accidents`: every repeat was void. */
  readonly cause: 'exhausted' | 'accidents';
  /** Whether some of its trials passed, disturbed; else all were void. */
  readonly disturbed: boolean;
  /** How many of its last trials were void or disturbed, one after the other. */
  readonly inARow: number;
  /** Accidents may pass: such a ceiling is tried once more before the search ends because of it. */
  readonly lastTryLeft: boolean;
}

/** A history, summed up. Only sizes below the ceiling are in it. */
export interface Landscape {
  /** Ascending by size; sizes with void trials alone are absent. */
  readonly tallies: readonly Tally[];
  readonly ceiling: Ceiling | null;
  readonly largestPass: number | null;
  readonly smallestFail: number | null;
  /** How often a trial failed at or below a size that had passed, and so lowered the smallest failure. */
  readonly setbacks: number;
  /** How often a trial passed at or above a size that had failed, and so raised the largest pass. */
  readonly surprises: number;
  /** Judged trials in which the largest pass did not rise any more, since the first of these contradictions. */
  readonly contested: number;
}

/**
 * Sums up a history. Contradictions are counted in the order in which they came, so that a prefix of a history
 * always means the same.
 */
export function surveyLandscape(options: SearchOptions, history: readonly TrialOutcome[]): Landscape {
  const ceiling = findCeiling(options, history);
  const judged = believed(history).filter((trial) => !ceiling || trial.size < ceiling.size);
  return { tallies: talliesOf(judged), ceiling, ...countContradictions(judged) };
}

/** Of all that is believed of a history, wherever a ceiling is. */
export function believedTallies(history: readonly TrialOutcome[]): readonly Tally[] {
  return talliesOf(believed(history));
}

function believed(history: readonly TrialOutcome[]): readonly TrialOutcome[] {
  return judgedIn(withoutContradictedScreening(withoutHastyFailures(history)));
}

/** Of judged trials, ascending by size. */
function talliesOf(judged: readonly TrialOutcome[]): readonly Tally[] {
  const sizes = [...new Set(judged.map((trial) => trial.size))].sort((a, b) => a - b);
  return sizes.map((size) => {
    const here = judged.filter((trial) => trial.size === size);
    const stable = here.filter(({ verdict }) => verdict === 'stable');
    const screened = stable.filter((trial) => trial.screened).length;
    const background = stable.filter((trial) => trial.background).length;
    const tally = { size, passes: stable.length - screened, fails: here.length - stable.length, screened };
    return background === 0 ? tally : { ...tally, background };
  });
}

/** Trials at this size that were void or disturbed, since the last one that was neither. */
function unsureInARow(history: readonly TrialOutcome[], size: number): number {
  const here = history.filter((trial) => trial.size === size);
  return here.length - 1 - here.findLastIndex((trial) => !isUnsure(trial));
}

/** Sizes that passed and failed, ascending. */
export function flakySizes({ tallies }: Pick<Landscape, 'tallies'>): number[] {
  return tallies.filter((tally) => hasPassed(tally) && tally.fails > 0).map((tally) => tally.size);
}

export function tallyOf(landscape: Landscape, size: number): Tally {
  return landscape.tallies.find((tally) => tally.size === size) ?? { size, passes: 0, fails: 0, screened: 0 };
}

/** In full or in screening. */
export function hasPassed({ passes, screened }: Tally): boolean {
  return passes + screened > 0;
}

function countContradictions(judged: readonly TrialOutcome[]) {
  let largestPass: number | null = null;
  let smallestFail: number | null = null;
  let setbacks = 0;
  let surprises = 0;
  let contested = 0;
  for (const { size, verdict } of judged) {
    contested += setbacks + surprises > 0 ? 1 : 0;
    if (verdict === 'stable' && (largestPass === null || size > largestPass)) {
      largestPass = size;
      contested = 0;
      if (smallestFail !== null && size >= smallestFail) surprises += 1;
    }
    if (verdict === 'unstable' && (smallestFail === null || size < smallestFail)) {
      smallestFail = size;
      if (largestPass !== null && size <= largestPass) setbacks += 1;
    }
  }
  return { largestPass, smallestFail, setbacks, surprises, contested };
}

function findCeiling(options: SearchOptions, history: readonly TrialOutcome[]): Ceiling | null {
  const sizes = [...new Set(history.map((trial) => trial.size))].sort((a, b) => a - b);
  for (const size of sizes) {
    const cause = ceilingCause(options, history, size);
    if (!cause) continue;
    const disturbed = history.some((trial) => trial.size === size && trial.disturbed);
    const lastTryLeft = cause === 'accidents' && isLastTryLeft(options, history, size);
    return { size, cause, disturbed, inARow: unsureInARow(history, size), lastTryLeft };
  }
  return null;
}

function ceilingCause(options: SearchOptions, history: readonly TrialOutcome[], size: number): Ceiling['cause'] | null {
  const exhausted = history.some(
    (trial) => trial.size === size && isUnsure(trial) && trial.probesExhausted && !trial.hasty,
  );
  if (exhausted) return 'exhausted';
  return unsureInARow(history, size) >= voidAllowance(options, history, size) ? 'accidents' : null;
}

function isLastTryLeft(options: SearchOptions, history: readonly TrialOutcome[], size: number): boolean {
  return unsureInARow(history, size) === options.voidRepeats + 1;
}

/** A size at or below one that was measured once gets twice as many chances: it is no ceiling by nature. */
function voidAllowance(options: SearchOptions, history: readonly TrialOutcome[], size: number): number {
  const measurable = history.some((trial) => trial.verdict !== 'void' && trial.size >= size);
  return (options.voidRepeats + 1) * (measurable ? 2 : 1);
}

/** Whether a size was confirmed, and for each failure at or below it, sizes from it upwards were three times. */
export function isHeld(tallies: readonly Tally[], { size, passes, fails }: Tally): boolean {
  const passesFromHere = tallies.reduce((sum, tally) => sum + (tally.size >= size ? tally.passes : 0), 0);
  const failsUpToHere = tallies.reduce((sum, tally) => sum + (tally.size <= size ? tally.fails : 0), 0);
  return passes > 0 && passes >= 3 * fails && passesFromHere >= 3 * failsUpToHere;
}
