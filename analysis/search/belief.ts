import type { TrialOutcome } from '../../model/run.js';
import type { Writable } from '../../model/writable.js';
import { edgesBetween, explainedAt, type Lapse, lapseOf, type Seen, withinReason } from './explained.js';
import { type Plateau, type PlateauShare, plateausOver } from './plateau.js';

/**
 * What the verdicts of a history leave believable about the server, for when they contradict each other. A server is
 * described by a curve: the chance to pass falls along a logistic from nearly sure to nearly none around an edge, and
 * or to a plateau first; any trial fails by accident now and then. All curves on a grid are weighed by how well they
 * explain what was seen (Bayes' rule); no single failure and no single pass decides.
 */
interface Curve {
  /** Logarithm of the size with an even chance to pass, before accidents. */
  readonly edge: number;
  /** Steepness, in logarithms of size: from 80 to 20 % the chance falls within 2.8 of these. */
  readonly width: number;
  /** The share of trials that fail by accident, at any size. */
  readonly lapse: number;
  /** From this logarithm of the size on, up to the edge, this share of the chance is left. */
  readonly plateau?: Pick<Plateau, 'from' | 'share'>;
}

interface WeighedCurve extends Curve {
  /** Logarithm of the largest size that a server of this curve passes often enough. */
  readonly limit: number;
  /** 0 to 1; all of a belief add up to 1. */
  readonly weight: number;
}

export interface Belief {
  readonly curves: readonly WeighedCurve[];
  /** Logarithm of how well all curves together explain what was seen. */
  readonly evidence: number;
}

/**
 * Curves from sharp to very soft: 80 to 20 % within 1, 3, 8, 20 and 40 % of the size; and how likely each is
 * beforehand.
 */
const sharp = 0.003;
const widths = [
  [sharp, 0.3],
  [0.011, 0.25],
  [0.03, 0.3],
  [0.07, 0.2],
  [0.15, 0.1],
] as const;

const lapses = [
  [0, 0.6],
  [0.03, 0.25],
  [0.1, 0.15],
] as const;

/**
 * A server may have a slow mode, or pass some trials from a size on that is far below the one it never passes. These
 * have half the weight of all others: where they are rare, a somewhat lower limit is named in vain, and where they are
 * not, the higher one would be false.
 */
const plateaus = [
  [0.72, 0.35],
  [0.4, 0.15],
] as const;

/** How finely curves are laid out. */
interface Grid {
  readonly widths: readonly (readonly [width: number, likely: number])[];
  readonly lapses: readonly (readonly [lapse: number, likely: number])[];
  readonly plateaus: readonly PlateauShare[];
  readonly edgesPerGap: number;
}

const fine: Grid = { widths, lapses, plateaus, edgesPerGap: 3 };

/** Where each trial is at a place of its own, which costs time: fewer curves. */
export const coarse: Grid = {
  widths: [
    [0.004, 0.5],
    [0.03, 0.35],
    [0.1, 0.15],
  ],
  lapses: [
    [0, 0.8],
    [0.05, 0.2],
  ],
  plateaus: [],
  edgesPerGap: 1,
};

/** The trials of a history that say something, by size. */
export function seenBySize(history: readonly TrialOutcome[], below: number): Seen[] {
  const seen = new Map<number, { at: number; passes: number; fails: number }>();
  for (const trial of history) {
    if (trial.verdict === 'void' || trial.size >= below) continue;
    const here = seen.get(trial.size) ?? { at: Math.log(trial.size), passes: 0, fails: 0 };
    if (trial.verdict === 'stable') here.passes += 1;
    else here.fails += weightOfFailure(trial);
    seen.set(trial.size, here);
  }
  return [...seen.values()].sort((a, b) => a.at - b.at);
}

function weightOfFailure({ faint }: TrialOutcome): number {
  return faint ? 0.5 : 1;
}

/** What a trial says of a place: nothing where it is void, or the probes were too weak. */
export function seenOf(trial: TrialOutcome, at: number, below: number): Seen[] {
  if (trial.verdict === 'void' || trial.size >= below) return [];
  return [trial.verdict === 'stable' ? { at, passes: 1, fails: 0 } : { at, passes: 0, fails: weightOfFailure(trial) }];
}

/** Curves with less than this share of the whole weight are left out; there are many with a plateau. */
const negligible = 1e-9;
const negligiblePlateau = 1e-5;

export function believe(seen: readonly Seen[], grid: Grid = fine): Belief {
  const lapses = grid.lapses.map(([lapse, often]) => lapseOf(seen, lapse, often));
  const edges = edgesBetween(seen, grid.edgesPerGap);
  const curves: Writable<WeighedCurve>[] = [];
  const left = new Float64Array(seen.length);
  let total = 0;
  for (const { edge, share } of edges) {
    for (const [width, likely] of grid.widths) {
      const fall = fallAt(seen, edge, width, left);
      for (const one of lapses) {
        const beforehand = share * likely * one.often;
        const least = negligible * total;
        const weight = beforehand * explained(seen, fall, one, least / beforehand);
        if (weight <= least) continue;
        total += weight;
        curves.push({ edge, width, lapse: one.lapse, limit: edge - width * one.limitWidths, weight });
      }
    }
  }
  for (const one of plateausOver(seen, { onsets: edges, shares: grid.plateaus, lapses }, negligiblePlateau * total)) {
    total += one.weight;
    const { from: limit, edge, lapse, weight } = one;
    curves.push({ edge, width: sharp, lapse, limit, weight, plateau: one });
  }
  for (const curve of curves) curve.weight /= total;
  return { curves: curves.filter(({ weight }) => weight > negligible), evidence: Math.log(total) };
}

/** One of several kinds of server, each as likely beforehand: what all of them leave believable. */
export function anyOf(kinds: readonly { readonly belief: Belief; readonly likely: number }[]): Belief {
  const scores = kinds.map(({ belief, likely }) => belief.evidence + Math.log(likely));
  const best = Math.max(...scores);
  const evidence = best + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - best), 0));
  const curves = kinds.flatMap(({ belief }, nth) => {
    const share = Math.exp((scores[nth] ?? best) - evidence);
    return share <= negligible ? [] : belief.curves.map((curve) => ({ ...curve, weight: share * curve.weight }));
  });
  return { curves, evidence };
}

/** How believable it is that this size passes often enough to be called stable. */
export function certaintyOf(belief: Belief, size: number): number {
  const at = Math.log(size) - 1e-9;
  let sum = 0;
  for (const { limit, weight } of belief.curves) if (limit >= at) sum += weight;
  return sum;
}

export function chanceOf({ edge, width, lapse, plateau }: Curve, at: number): number {
  const left = plateau && at > plateau.from ? plateau.share : 1;
  return withinReason(((1 - lapse) * left) / (1 + Math.exp((at - edge) / width)));
}

/** Farther above the edge than so many widths the chance is the least there is; farther below, that of no edge. */
const noneFrom = 6.3;
const allTo = -9;

/** Where a curve falls among the places that were seen: before `from` all of the chance is left, from `to` on none. */
interface Fall {
  readonly from: number;
  readonly to: number;
  /** What is left of the chance at each place from `from` to `to`. */
  readonly left: Float64Array;
}

/** @param left where to write it: a search spends much time here, and allocating each time takes most of that */
function fallAt(seen: readonly Seen[], edge: number, width: number, left: Float64Array): Fall {
  let from = 0;
  let to = 0;
  for (; to < seen.length; to += 1) {
    const widths = ((seen[to] as Seen).at - edge) / width;
    if (widths >= noneFrom) break;
    if (widths <= allTo) from = to + 1;
    else left[to] = 1 / (1 + Math.exp(widths));
  }
  return { from, to, left };
}

/**
 * The chance of all that was seen; what is less than `least` need not be exact. A product of some seventy chances of
 * 0.002 at least is far above the smallest double.
 */
function explained(seen: readonly Seen[], fall: Fall, { lapse, before, after }: Lapse, least: number): number {
  const { from, to, left } = fall;
  let product = (before[from] as number) * (after[to] as number);
  for (let index = from; index < to && product > least; index += 1) {
    product *= explainedAt(seen[index] as Seen, (1 - lapse) * (left[index] as number));
  }
  return product;
}
