import type { TrialOutcome } from '../../model/run.js';

/**
 * What the verdicts of a history leave believable about the server, for when they contradict each other. A server is
 * described by a curve: the chance to pass falls along a logistic from nearly sure to nearly none around an edge, and
 * any trial fails by accident now and then. All curves on a grid are weighed by how well they explain what was seen
 * (Bayes' rule); no single failure and no single pass decides.
 */
export interface Curve {
  /** Logarithm of the size with an even chance to pass, before accidents. */
  readonly edge: number;
  /** Steepness, in logarithms of size: from 80 to 20 % the chance falls within 2.8 of these. */
  readonly width: number;
  /** The share of trials that fail by accident, at any size. */
  readonly lapse: number;
}

export interface WeighedCurve extends Curve {
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

/** Curves from sharp to very soft: 80 to 20 % within 1, 3, 8, 20 and 40 % of the size; and how likely each is beforehand. */
const widths = [
  [0.003, 0.25],
  [0.011, 0.22],
  [0.03, 0.25],
  [0.07, 0.18],
  [0.15, 0.1],
] as const;

const lapses = [
  [0, 0.6],
  [0.03, 0.25],
  [0.1, 0.15],
] as const;

/** Nothing is surer than this: a curve that calls a thing impossible would never be believed again once it happened. */
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

export function believe(seen: readonly Seen[], grid: Grid = fine): Belief {
  const curves: WeighedCurve[] = [];
  const unspoilt = seen.map(() => 0);
  let total = 0;
  for (const { edge, share } of edgesBetween(seen, grid.edgesPerGap)) {
    for (const [width, likely] of grid.widths) {
      for (let index = 0; index < seen.length; index += 1) {
        unspoilt[index] = 1 / (1 + Math.exp(((seen[index] as Seen).at - edge) / width));
      }
      for (const [lapse, often] of grid.lapses) {
        const weight = share * likely * often * explained(seen, unspoilt, lapse);
        total += weight;
        curves.push({ edge, width, lapse, weight });
      }
    }
  }
  return {
    curves: curves.map(({ edge, width, lapse, weight }) => ({ edge, width, lapse, weight: weight / total })),
    evidence: Math.log(total),
  };
}

/** The largest size that passes often enough to be called stable, with this certainty; below 1 when none does. */
export function stableWith(belief: Belief, certainty: number): number {
  const ranked = belief.curves.map((curve) => ({ limit: limitOf(curve), weight: curve.weight }));
  ranked.sort((a, b) => a.limit - b.limit);
  let doubt = 0;
  for (const { limit, weight } of ranked) {
    doubt += weight;
    if (doubt > 1 - certainty) return Math.exp(limit);
  }
  return 0;
}

/** How believable it is that this size passes often enough to be called stable. */
export function certaintyOf(belief: Belief, size: number): number {
  const at = Math.log(size) - 1e-9;
  return belief.curves.reduce((sum, curve) => sum + (limitOf(curve) >= at ? curve.weight : 0), 0);
}

export function chanceOf({ edge, width, lapse }: Curve, at: number): number {
  return withinReason((1 - lapse) / (1 + Math.exp((at - edge) / width)));
}

/** Logarithm of the largest size that a server of this curve passes often enough. */
function limitOf({ edge, width, lapse }: Curve): number {
  const share = stableShare / (1 - lapse);
  return edge - width * Math.log(share / (1 - share));
}

/**
 * The chance of all that was seen. A product of some seventy chances of 0.002 at least is far above the smallest double.
 * A plain loop, because a search spends nearly all of its time here.
 */
function explained(seen: readonly Seen[], unspoilt: readonly number[], lapse: number): number {
  let product = 1;
  for (let index = 0; index < unspoilt.length; index += 1) {
    const { passes, fails } = seen[index] as Seen;
    const chance = withinReason((1 - lapse) * (unspoilt[index] as number));
    for (let pass = 0; pass < passes; pass += 1) product *= chance;
    if (fails === 0.5) product *= Math.sqrt(1 - chance);
    else if (fails > 0) product *= fails === 1 ? 1 - chance : (1 - chance) ** fails;
  }
  return product;
}

function withinReason(chance: number): number {
  return chance > surest ? surest : Math.max(1 - surest, chance);
}

/** Edges lie between the places that were tried, and beyond both ends: within a gap they explain the same. */
function edgesBetween(seen: readonly Seen[], edgesPerGap: number): { edge: number; share: number }[] {
  const places = seen.map(({ at }) => at);
  const ends = [(places[0] ?? 0) - 1, ...places, (places.at(-1) ?? 0) + 1];
  return ends
    .slice(1)
    .flatMap((end, index) => {
      const start = ends[index] ?? end;
      const step = (end - start) / edgesPerGap;
      return Array.from({ length: edgesPerGap }, (_, part) => ({ edge: start + step * (part + 0.5), share: step }));
    })
    .filter(({ share }) => share > 1e-9);
}
