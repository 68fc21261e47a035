/** Trials at one place, as logarithm of size. */
export interface Seen {
  readonly at: number;
  readonly passes: number;
  readonly fails: number;
}

/** The share of trials that a size has to pass to be called stable. */
export const stableShare = 0.8;

/**
 * No chance is taken to be higher than this, or lower than its rest: a curve that calls something impossible could
 * never be believed again once that had happened.
 */
const surest = 0.998;

/** What a share of accidents comes to, worked out once for all curves of a grid. */
export interface Lapse {
  readonly lapse: number;
  /** How likely it is beforehand. */
  readonly often: number;
  /** How far below its edge a curve is stable often enough, in widths. */
  readonly limitWidths: number;
  /** How well the first so many places are explained where all passes but for accidents. */
  readonly before: readonly number[];
  /** How well those from a place on are explained where nothing passes. */
  readonly after: readonly number[];
}

export function lapseOf(seen: readonly Seen[], lapse: number, often: number): Lapse {
  const share = stableShare / (1 - lapse);
  const before = [1];
  for (const [index, one] of seen.entries()) before.push((before[index] ?? 1) * explainedAt(one, 1 - lapse));
  const after = [1];
  for (const one of [...seen].reverse()) after.unshift((after[0] ?? 1) * explainedAt(one, 0));
  return { lapse, often, limitWidths: Math.log(share / (1 - share)), before, after };
}

/** A plain loop, because a search spends much of its time here. */
export function explainedAt({ passes, fails }: Seen, unbounded: number): number {
  const chance = withinReason(unbounded);
  let product = 1;
  for (let pass = 0; pass < passes; pass += 1) product *= chance;
  if (fails === 0) return product;
  if (fails === 0.5) return product * Math.sqrt(1 - chance);
  return product * (fails === 1 ? 1 - chance : (1 - chance) ** fails);
}

export function withinReason(chance: number): number {
  return chance > surest ? surest : Math.max(1 - surest, chance);
}

export interface Edge {
  /** As a logarithm of the size. */
  readonly edge: number;
  /** How much of all sizes it stands for, as a difference of logarithms. */
  readonly share: number;
  /** How many of the places that were seen lie below it. */
  readonly gap: number;
}

/** Edges lie between the places that were tried, and beyond both ends: within a gap they explain the same. */
export function edgesBetween(seen: readonly Seen[], edgesPerGap: number): Edge[] {
  const edges: Edge[] = [];
  let start = (seen[0]?.at ?? 0) - 1;
  for (let gap = 0; gap <= seen.length; gap += 1) {
    const end = seen[gap]?.at ?? (seen.at(-1)?.at ?? 0) + 1;
    const share = (end - start) / edgesPerGap;
    for (let part = 0; share > 1e-9 && part < edgesPerGap; part += 1) {
      edges.push({ edge: start + share * (part + 0.5), share, gap });
    }
    start = end;
  }
  return edges;
}
