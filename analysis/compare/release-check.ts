import { chanceAbove, differenceAtMost, leastChance } from '../statistics/permutation.js';
import { mean } from '../statistics/statistics.js';
import { type ReleaseMark, type ReleaseMarks, releaseMarkNames, releaseMarks } from './release-marks.js';

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
  /** To see a change for the worse as large as this if there is none. */
  readonly chance: number;
  readonly verdict: 'worse' | 'better' | 'no difference shown' | 'too few runs';
}

export interface ReleaseCheck {
  readonly marks: readonly CheckedMark[];
  /** Of calling something worse though nothing changed, over all marks together. */
  readonly chance: number;
  readonly kind: 'none-worse' | 'worse' | 'unknown';
}

/**
 * Whether the later runs are worse than the earlier ones in anything, with a stated chance of error over all that is
 * looked at: of the marks sorted by their chance, each is held to the error that is left (S. Holm, 1979). Changes are
 * shares, so logarithms are compared.
 */
export function checkRelease(
  before: readonly ReleaseMarks[],
  after: readonly ReleaseMarks[],
  chance: number,
): ReleaseCheck {
  const known = releaseMarkNames.flatMap((mark) => {
    const values = (marks: readonly ReleaseMarks[]) => marks.flatMap((one) => one[mark] ?? []).map(Math.log);
    const [earlier, later] = [values(before), values(after)];
    return earlier.length === 0 || later.length === 0 ? [] : [{ mark, earlier, later }];
  });
  const told = known
    .map((one) => ({ ...one, toWorse: chanceOf(one, false), toBetter: chanceOf(one, true) }))
    .sort((a, b) => a.toWorse - b.toWorse);
  let stillWorse = true;
  const marks = told.map((one, index): CheckedMark => {
    const allowed = chance / (told.length - index);
    stillWorse = stillWorse && one.toWorse <= allowed;
    const isTooFew = leastChance(one.earlier.length, one.later.length) > chance / told.length;
    const isBetter = one.toBetter <= chance / told.length;
    const verdict = stillWorse ? 'worse' : isTooFew ? 'too few runs' : isBetter ? 'better' : 'no difference shown';
    return { ...marked(one, chance / told.length), chance: one.toWorse, verdict };
  });
  const isUnknown = marks.length === 0 || marks.every(({ verdict }) => verdict === 'too few runs');
  const isWorse = marks.some(({ verdict }) => verdict === 'worse');
  return { marks, chance, kind: isWorse ? 'worse' : isUnknown ? 'unknown' : 'none-worse' };
}

interface Known {
  readonly mark: ReleaseMark;
  /** Logarithms. */
  readonly earlier: readonly number[];
  readonly later: readonly number[];
}

function chanceOf({ mark, earlier, later }: Known, isForBetter: boolean): number {
  const higherIsMeant = (releaseMarks[mark].worse === 'higher') !== isForBetter;
  return higherIsMeant ? chanceAbove(later, earlier) : chanceAbove(earlier, later);
}

function marked({ mark, earlier, later }: Known, chance: number): Omit<CheckedMark, 'chance' | 'verdict'> {
  const before = Math.exp(mean(earlier) ?? 0);
  const after = Math.exp(mean(later) ?? 0);
  const most =
    releaseMarks[mark].worse === 'higher'
      ? Math.exp(differenceAtMost(later, earlier, chance)) - 1
      : 1 - Math.exp(-differenceAtMost(earlier, later, chance));
  return {
    mark,
    before,
    after,
    runs: [earlier.length, later.length],
    changePercent: 100 * (after / before - 1),
    worseByAtMostPercent: leastChance(earlier.length, later.length) > chance ? null : 100 * most,
  };
}
