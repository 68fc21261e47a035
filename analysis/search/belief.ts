import type { TrialOutcome } from '../../model/run.js';
import type { Writable } from '../../model/writable.js';

/**
 * What the verdicts of a history leave believable about the server, for when they contradict each other. A server is
 * described by a curve: the chance to pass falls along a logistic from nearly sure to nearly none around an edge, and
 * any trial fails by accident now and then. All curves on a grid are weighed by how well they explain what was seen
 * (Bayes' rule); no single failure and no single pass decides.
 */
interface Curve {
  /** Logarithm of the size with an even chance to pass, before accidents. */
  readonly edge: number;
  /** Steepness, in logarithms of size: from 80 to 20 % the chance falls within 2.8 of these. */
  readonly width: number;
  /** The share of trials that fail by accident, at any size. */
  readonly lapse: number;
}

interface WeighedCurve extends Curve {
  /** Logarithm of the largest size that a server of this curve passes often enough. */
  readonly limit: number;
  /** 0 to 1; all of a belief add up to 1. */
  readonly weight: number;
}

/** Trials at one place, as logarithm of size. */
export interface Seen {
  readonly at: number;
  readonly passes: number;
  readonly fails: number;
}

export interface Belief {
  readonly curves: readonly WeighedCurve[];
  /** Logarithm of how well all curves together explain what was seen. */
  readonly evidence: number;
}

/** The share of trials that a size has to pass to be called stable. */
export const stableShare = 0.8;

/**
 * Curves from sharp to very soft: 80 to 20 % within 1, 3, 8, 20 and 40 % of the size; and how likely each is
 * beforehand.
 */
const widths = [
  [0.003, 0.3],
  [0.011, 0.25],
  [0.03, 0.3],
  [0.07, 0.11],
  [0.15, 0.04],
] as const;

const lapses = [
  [0, 0.6],
  [0.03, 0.25],
  [0.1, 0.15],
] as const;

/**
 * No chance is taken to be higher than this, or lower than its rest: a curve that calls something impossible could
 * never be believed again once that had happened.
 */
const surest = 0.998;

/** How finely curves are laid out. */
export interface Grid {
  readonly widths: readonly (readonly [width: number, likely: number])[];
  readonly lapses: readonly (readonly [lapse: number, likely: number])[];
  readonly edgesPerGap: number;
}

const fine: Grid = { widths, lapses, edgesPerGap: 3 };

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

export function weightOfFailure({ faint }: TrialOutcome): number {
  return faint ? 0.5 : 1;
}

/** Curves with less than this share of the whole weight are left out. */
const negligible = 1e-9;

export function believe(seen: readonly Seen[], grid: Grid = fine): Belief {
  const lapses = grid.lapses.map(([lapse, often]) => ({ often, ...lapseOf(seen, lapse) }));
  const curves: Writable<WeighedCurve>[] = [];
  const left = new Float64Array(seen.length);
  let total = 0;
  for (const { edge, share } of edgesBetween(seen, grid.edgesPerGap)) {
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
  for (const curve of curves) curve.weight /= total;
  return { curves: curves.filter(({ weight }) => weight > negligible), evidence: Math.log(total) };
}

/** The largest size that passes often enough to be called stable, with this certainty; below 1 when none does. */
export function stableWith(belief: Belief, certainty: number): number {
  let doubt = 0;
  for (const { limit, weight } of [...belief.curves].sort((a, b) => a.limit - b.limit)) {
    doubt += weight;
    if (doubt > 1 - certainty) return Math.exp(limit);
  }
  return 0;
}

/** How believable it is that this size passes often enough to be called stable. */
export function certaintyOf(belief: Belief, size: number): number {
  const at = Math.log(size) - 1e-9;
  let sum = 0;
  for (const { limit, weight } of belief.curves) if (limit >= at) sum += weight;
  return sum;
}

export function chanceOf({ edge, width, lapse }: Curve, at: number): number {
  return withinReason((1 - lapse) / (1 + Math.exp((at - edge) / width)));
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

/** What a share of accidents comes to, worked out once for all curves of a grid. */
interface Lapse {
  readonly lapse: number;
  /** How far below its edge a curve is stable often enough, in widths. */
  readonly limitWidths: number;
  /** How well the first so many places are explained where all passes but for accidents. */
  readonly before: readonly number[];
  /** How well those from a place on are explained where nothing passes. */
  readonly after: readonly number[];
}

function lapseOf(seen: readonly Seen[], lapse: number): Lapse {
  const share = stableShare / (1 - lapse);
  const before = [1];
  for (const [index, one] of seen.entries()) before.push((before[index] ?? 1) * explainedAt(one, 1 - lapse));
  const after = [1];
  for (const one of [...seen].reverse()) after.unshift((after[0] ?? 1) * explainedAt(one, 0));
  return { lapse, limitWidths: Math.log(share / (1 - share)), before, after };
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

/** A plain loop, because a search spends much of its time here. */
function explainedAt({ passes, fails }: Seen, unbounded: number): number {
  const chance = withinReason(unbounded);
  let product = 1;
  for (let pass = 0; pass < passes; pass += 1) product *= chance;
  if (fails === 0) return product;
  if (fails === 0.5) return product * Math.sqrt(1 - chance);
  return product * (fails === 1 ? 1 - chance : (1 - chance) ** fails);
}

function withinReason(chance: number): number {
  return chance > surest ? surest : Math.max(1 - surest, chance);
}

/** Edges lie between the places that were tried, and beyond both ends: within a gap they explain the same. */
function edgesBetween(seen: readonly Seen[], edgesPerGap: number): { edge: number; share: number }[] {
  const edges: { edge: number; share: number }[] = [];
  let start = (seen[0]?.at ?? 0) - 1;
  for (let gap = 0; gap <= seen.length; gap += 1) {
    const end = seen[gap]?.at ?? (seen.at(-1)?.at ?? 0) + 1;
    const share = (end - start) / edgesPerGap;
    for (let part = 0; share > 1e-9 && part < edgesPerGap; part += 1) {
      edges.push({ edge: start + share * (part + 0.5), share });
    }
    start = end;
  }
  return edges;
}
