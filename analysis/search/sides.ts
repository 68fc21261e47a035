import { cleanPassesDemanded } from './demand.js';
import { foreseenBetween } from './foreseen-step.js';
import { tallyOf } from './landscape.js';
import { edgeResolutionAt, resolutionAt, strideAt } from './resolution.js';
import { attempt, type Situation, type Try } from './situation.js';
import { mayBeLuck } from './slow-fall.js';

/**
 * Nothing contradicted yet: where the limit is foreseen, else the middle between the largest pass and the smallest
 * failure, until they are close.
 */
export function narrowTheGap(situation: Situation, pass: number, fail: number): Try | null {
  if (fail - pass <= edgeResolutionAt(situation.options, pass)) return null;
  const unsure = screenedOnly(situation, pass);
  if (unsure) return unsure;
  const foreseen = foreseenBetween(situation, pass, fail);
  if (foreseen) return foreseen;
  const middle = Math.floor((pass + fail) / 2);
  return attempt(middle, 'bisect', `The limit lies between ${pass} and ${fail}: the middle.`);
}

/** So many failures after a pass in screening, and nothing above it that passed, make it worth a trial in full. */
const failuresAboveScreened = 2;

function screenedOnly({ landscape, history }: Situation, pass: number): Try | null {
  if (tallyOf(landscape, pass).passes > 0) return null;
  const since = history.slice(history.findLastIndex(({ size, screened }) => size === pass && screened) + 1);
  if (since.filter(({ verdict }) => verdict === 'unstable').length < failuresAboveScreened) return null;
  return attempt(pass, 'confirm', `${pass} was stable in screening, and nothing above it held: in full.`);
}

/**
 * The candidate for the unstable size: the smallest failed one above everything that passed. After surprises it lies
 * well above; null when the search may not go there.
 */
export function unstableSide({ options, landscape }: Situation, largestPass: number): number | null | Try {
  const top = landscape.ceiling ? landscape.ceiling.size - 1 : options.max;
  const failed = landscape.tallies.find((tally) => tally.size > largestPass)?.size;
  const stride = landscape.surprises === 0 ? 1 : strideAt(options, largestPass, landscape.surprises);
  const near = largestPass + stride + resolutionAt(options, largestPass);
  if (failed !== undefined && (landscape.surprises === 0 || failed < near)) return failed;
  const next = Math.min(largestPass + stride, top);
  if (next <= largestPass) return null;
  return attempt(next, 'bisect', `${largestPass} passed though a size at or below it had failed: further up.`);
}

/**
 * A size that passed on the way serves as the limit from this share of a resolution below the failure: nearer, too many
 * limits of servers that fall slowly are not stable in truth (docs/lab/search.md).
 */
const leastMargin = 0.95;

/**
 * The candidate for the limit, below everything that failed. It lies a whole resolution below the smallest failure:
 * bisection went closer, so that a lucky pass at the edge does not become the answer.
 */
export function stableSide({ options, baselineSize, landscape }: Situation, smallestFail: number): number | Try {
  const edge = landscape.tallies.findLast((tally) => tally.size < smallestFail)?.size ?? baselineSize;
  if (tallyOf(landscape, edge).passes >= Math.max(3 * options.confirm, cleanPassesDemanded(options, edge))) return edge;
  let lowest = edge;
  while (lowest > baselineSize && smallestFail - (lowest - 1) <= resolutionAt(options, lowest - 1)) lowest -= 1;
  if (lowest === edge) return edge;
  const furthest = Math.max(lowest, smallestFail - Math.ceil(resolutionAt(options, lowest) * leastMargin));
  const passed = landscape.tallies.find((tally) => tally.size >= lowest && tally.size <= furthest && tally.size < edge);
  if (mayBeLuck(options, landscape.tallies, { limit: passed?.size ?? lowest, above: smallestFail })) {
    return attempt(edge, 'confirm', `${edge} is the edge; the limit is set below it when it passes again.`);
  }
  if (passed) return passed.size;
  return attempt(
    lowest,
    'confirm',
    `${smallestFail} failed: the limit is set ${smallestFail - lowest} below, so that it is no lucky pass.`,
  );
}

/**
 * A size that fails alone, with nothing tried near above it, may be one that this server is bad at: the next one up
 * says whether the limit is there.
 */
export function companyAbove({ options, landscape }: Situation, above: number): Try | null {
  const top = landscape.ceiling ? landscape.ceiling.size - 1 : options.max;
  const step = resolutionAt(options, above);
  const near = landscape.tallies.some(({ size }) => size > above && size <= above + 2 * step);
  const next = Math.min(above + step, top);
  if (near || next <= above) return null;
  return attempt(next, 'refute', `${above} failed, and nothing near above it was tried: is it ${above} alone?`);
}
