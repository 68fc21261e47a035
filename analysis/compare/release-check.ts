import type { Outcome } from '../../model/run.js';
import {
  chanceAbove,
  chanceOfSigns,
  differenceAtMost,
  leastChance,
  leastChanceOfSigns,
  pairedDifferenceAtMost,
} from '../statistics/permutation.js';
import { mean } from '../statistics/statistics.js';
import { type ReleaseMark, type ReleaseMarks, releaseMarkNames, releaseMarks } from './release-marks.js';
import { pairsInTime, type ReleaseRun } from './run-order.js';

/** A run of a release, and what it says. */
export interface MarkedRun extends ReleaseRun {
  readonly marks: ReleaseMarks;
  /** Why it has no limit, and so no marks; absent: it has one. */
  readonly noLimit?: Outcome | undefined;
}

/** Runs of a release that have no limit, among all of it. */
interface WithoutLimit {
  readonly runs: number;
  readonly of: number;
  readonly outcomes: readonly Outcome[];
}

export interface CheckedMark {
  readonly mark: ReleaseMark;
  /** Geometric means. */
  readonly before: number;
  readonly after: number;
  readonly runs: readonly [before: number, after: number];
  /** Of `after`, in percent of `before`; above 0 is more. */
  readonly changePercent: number;
  /** How much worse it may be at most, percent, at the chance of error; null where that cannot be said. */
  readonly worseByAtMostPercent: number | null;
  /** To see a change as large as this, and that way, if there is none. */
  readonly chance: number;
  readonly verdict: 'worse' | 'better' | 'no difference shown' | 'too few runs';
}

export interface ReleaseCheck {
  readonly marks: readonly CheckedMark[];
  /** Marks that are 0 or less in some run: of them no shares can be told, and the other runs' would be chosen. */
  readonly leftOut: readonly ReleaseMark[];
  /** Of each release. */
  readonly withoutLimit: readonly [before: WithoutLimit, after: WithoutLimit];
  /** Of calling something worse though nothing changed, over all marks together. */
  readonly chance: number;
  readonly kind: 'none-worse' | 'worse' | 'unknown';
  /**
   * Neighbours in time were compared, and `chance` holds whatever drifts slowly; else all runs of one release with all
   * of the other, and it holds where no run depends on those before it.
   */
  readonly by: 'pairs' | 'groups';
}

/**
 * Whether the later release is worse in anything, with a stated chance of error over all that is looked at: of the
 * marks sorted by their chance, each is held to the error that is left (S. Holm, 1979). Changes are shares, so
 * logarithms are compared. `runs` are in the order of time.
 */
export function checkRelease(runs: readonly MarkedRun[], chance: number): ReleaseCheck {
  const pairs = pairsInTime(runs);
  const arePaired = comparesPairs(runs, pairs.length, chance);
  const leftOut = releaseMarkNames.filter((mark) => runs.some(({ marks }) => (marks[mark] ?? 1) <= 0));
  const known = (arePaired ? pairedValues(pairs) : groupedValues(runs)).filter(({ mark }) => !leftOut.includes(mark));
  const told = known
    .map((one) => ({ ...one, toWorse: chanceOf(one, false), toBetter: chanceOf(one, true) }))
    .sort((a, b) => a.toWorse - b.toWorse);
  let stillWorse = true;
  const marks = told.map((one, index): CheckedMark => {
    const allowed = chance / (told.length - index);
    stillWorse = stillWorse && one.toWorse <= allowed;
    const isTooFew = leastOf(one) > chance / told.length;
    const isBetter = one.toBetter <= chance / told.length;
    const verdict = stillWorse ? 'worse' : isTooFew ? 'too few runs' : isBetter ? 'better' : 'no difference shown';
    const isTowardsBetter = verdict === 'better' || (verdict !== 'worse' && one.toBetter < one.toWorse);
    return { ...marked(one, chance / told.length), chance: isTowardsBetter ? one.toBetter : one.toWorse, verdict };
  });
  const lost = [withoutLimit(runs, 'before'), withoutLimit(runs, 'after')] as const;
  const isUnknown =
    areChosen({ withoutLimit: lost }) || marks.length === 0 || marks.every(({ verdict }) => verdict === 'too few runs');
  const isWorse = marks.some(({ verdict }) => verdict === 'worse');
  return {
    marks,
    leftOut,
    withoutLimit: lost,
    chance,
    kind: isWorse ? 'worse' : isUnknown ? 'unknown' : 'none-worse',
    by: arePaired ? 'pairs' : 'groups',
  };
}

/** Where the later release has more runs without a limit, its others are its better ones, and are no pass. */
export function areChosen({ withoutLimit: [before, after] }: Pick<ReleaseCheck, 'withoutLimit'>): boolean {
  return after.runs * before.of > before.runs * after.of;
}

function withoutLimit(runs: readonly MarkedRun[], release: MarkedRun['release']): WithoutLimit {
  const own = runs.filter((run) => run.release === release);
  const outcomes = own.flatMap(({ noLimit }) => noLimit ?? []);
  return { runs: outcomes.length, of: own.length, outcomes: [...new Set(outcomes)] };
}

/** So many pairs at least, for one mark, and for all together, of which the first is held to a share of the chance. */
export function pairsNeeded(chance: number): { readonly forOne: number; readonly forAll: number } {
  const needed = (share: number) => Math.ceil(Math.log2(1 / share) - 1e-9);
  return { forOne: needed(chance), forAll: needed(chance / releaseMarkNames.length) };
}

/** Where each run of the smaller group has a neighbour of the other, or pairs are enough to show something. */
function comparesPairs(runs: readonly MarkedRun[], pairs: number, chance: number): boolean {
  const ofOne = runs.filter(({ release }) => release === 'before').length;
  const least = Math.min(ofOne, runs.length - ofOne);
  return pairs > 0 && (pairs === least || leastChanceOfSigns(pairs) <= chance);
}

interface Known {
  readonly mark: ReleaseMark;
  /** Logarithms. Of pairs each `later` stands where its `earlier` does. */
  readonly earlier: readonly number[];
  readonly later: readonly number[];
  readonly arePairs: boolean;
}

function groupedValues(runs: readonly MarkedRun[]): Known[] {
  return releaseMarkNames.flatMap((mark) => {
    const values = (release: MarkedRun['release']) =>
      runs.flatMap((run) => (run.release === release ? (run.marks[mark] ?? []) : [])).map(Math.log);
    const [earlier, later] = [values('before'), values('after')];
    return earlier.length === 0 || later.length === 0 ? [] : [{ mark, earlier, later, arePairs: false }];
  });
}

/** Of a pair in which one run does not say a mark, nothing is known of that mark. */
function pairedValues(pairs: ReturnType<typeof pairsInTime<MarkedRun>>): Known[] {
  return releaseMarkNames.flatMap((mark) => {
    const both = pairs.flatMap(({ before, after }) => {
      const [earlier, later] = [before.marks[mark], after.marks[mark]];
      return earlier === undefined || later === undefined ? [] : [[Math.log(earlier), Math.log(later)] as const];
    });
    const [earlier, later] = [both.map(([value]) => value), both.map(([, value]) => value)];
    return both.length === 0 ? [] : [{ mark, earlier, later, arePairs: true }];
  });
}

const differencesOf = (higher: readonly number[], lower: readonly number[]) =>
  higher.map((value, index) => value - (lower[index] ?? 0));

function chanceOf({ mark, earlier, later, arePairs }: Known, isForBetter: boolean): number {
  const higherIsMeant = (releaseMarks[mark].worse === 'higher') !== isForBetter;
  const [higher, lower] = higherIsMeant ? [later, earlier] : [earlier, later];
  return arePairs ? chanceOfSigns(differencesOf(higher, lower)) : chanceAbove(higher, lower);
}

function leastOf({ earlier, later, arePairs }: Known): number {
  return arePairs ? leastChanceOfSigns(later.length) : leastChance(earlier.length, later.length);
}

function marked(known: Known, chance: number): Omit<CheckedMark, 'chance' | 'verdict'> {
  const { mark, earlier, later, arePairs } = known;
  const before = Math.exp(mean(earlier) ?? 0);
  const after = Math.exp(mean(later) ?? 0);
  const atMost = (higher: readonly number[], lower: readonly number[]) =>
    arePairs ? pairedDifferenceAtMost(differencesOf(higher, lower), chance) : differenceAtMost(higher, lower, chance);
  const most =
    releaseMarks[mark].worse === 'higher'
      ? Math.exp(atMost(later, earlier)) - 1
      : 1 - Math.exp(-atMost(earlier, later));
  return {
    mark,
    before,
    after,
    runs: [earlier.length, later.length],
    changePercent: 100 * (after / before - 1),
    worseByAtMostPercent: leastOf(known) > chance ? null : 100 * most,
  };
}
