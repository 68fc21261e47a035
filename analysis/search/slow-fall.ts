import type { SearchOptions } from '../../model/plan.js';
import { stableShare } from './explained.js';
import type { Tally } from './landscape.js';
import { edgeResolutionAt, resolutionAt } from './resolution.js';

/**
 * Where the limit is set a margin below the edge, what may be wrong about it is a chance to pass that falls slowly: the
 * edge and all above the limit passed by luck, and the limit is not stable itself. So passes go on at the edge, where
 * they say most, until luck is no longer likely: a sequential test (A. Wald, Annals of Mathematical Statistics 16
 * (1945), 117–186) against the fall that is hardest to tell. On that one the limit just misses being stable, and the
 * size above passes half of its trials.
 */

const passedAbove = 0.5;
/** Per pass that `confirm` asks for: how unlikely all passes must be on such a server; 1 in 80 by default. */
const luckPerConfirm = 1 / 4.3;

/** Width of a fall from sure to none, as a share of the size: none seen is wider (bench/search, untidy servers). */
const widestFallPercent = 20;

interface Sides {
  readonly limit: number;
  readonly above: number;
}

/**
 * Whether what passed above the limit, with the passes that it needs itself, could still be luck. Never where the
 * margin is as wide as the widest fall: then none that the edge lies in reaches down to the limit, and an edge that
 * cannot be the answer is not worth trials.
 */
export function mayBeLuck(options: SearchOptions, tallies: readonly Tally[], sides: Sides): boolean {
  if (!isWithinReach(options, sides.limit)) return false;
  const between = tallies.filter(({ size }) => size > sides.limit && size < sides.above);
  const shown = between.reduce((sum, { size, passes }) => sum + passes * evidenceOfPass(size, sides), 0);
  return shown < evidenceAboveLimit(options) - 1e-9;
}

/** How often the edge must pass at most, wherever bisection leaves it. */
export function mostEdgePasses(options: SearchOptions, limit: number): number {
  if (!isWithinReach(options, limit)) return 0;
  const resolution = resolutionAt(options, limit);
  const lowestEdge = Math.max(limit + 1, limit + resolution - edgeResolutionAt(options, limit + resolution));
  const weakest = evidenceOfPass(lowestEdge, { limit, above: limit + resolution });
  return Math.ceil(evidenceAboveLimit(options) / weakest);
}

/** As a logarithm: what is left to show when the limit has passed as often as asked. */
function evidenceAboveLimit({ confirm }: SearchOptions): number {
  return confirm * (Math.log(stableShare) - Math.log(luckPerConfirm));
}

function evidenceOfPass(size: number, { limit, above }: Sides): number {
  const way = (size - limit) / (above - limit);
  return -Math.log(stableShare - way * (stableShare - passedAbove));
}

function isWithinReach(options: SearchOptions, limit: number): boolean {
  const resolution = resolutionAt(options, limit);
  return resolution > 1 && resolution < Math.floor((limit * widestFallPercent) / 100);
}
