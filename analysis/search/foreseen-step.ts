import type { TrialOutcome } from '../../model/run.js';
import { type Forecast, forecasts } from './foresight.js';
import { edgeResolutionAt } from './resolution.js';
import type { Situation, Try } from './situation.js';

/**
 * Sizes that are tried because the limit is foreseen there: one a little below, which should hold, and one a little
 * above, which should not. What they come to is judged as any other trial is, and when the foresight is wrong the
 * search goes on by doubling and halving, after a bounded number of trials.
 */

/** After so many verdicts that it did not expect, foresight is not asked any more in this run. */
const mostWrong = 2;
/** Nor after so many trials that brought the search on by less than doubling or halving would have. */
const mostSlow = 3;
/**
 * At most so many times the largest size that held: a jump too far is one halving dearer, and where sizes are large
 * that, and the failing trial itself, cost more than the trial which is passed over.
 */
const furthestJump = { small: 4, large: 2 } as const;
const largeFrom = 64;
/** Margins below and above what is foreseen, as shares: a full server is short of it more often before than after. */
const spread = { below: 0.06, above: 0.02 } as const;
/** From so near on the size above is tried, because the one below has been. */
const nearBelow = 1 / (1 - 2 * spread.below);
/** Of sizes that held though they were foreseen to be too many, after so many the search doubles. */
const mostFurtherUp = 3;
/** What cuts off less than this of the interval is left to halving. */
const leastCut = 0.1;

/** Most trials beyond doubling and halving alone: slow ones, and the halvings of a jump too far. */
export const mostForesightExtra = mostSlow + 2;

/**
 * Nothing has failed yet: a little below what is foreseen, a little above it once that holds, and from there further
 * up; null where doubling is as good.
 */
export function foreseenAbove(situation: Situation, largestPass: number): Try | null {
  const { options, history } = situation;
  if (options.foresight === false) return null;
  const further = furtherUp(situation, largestPass);
  if (further || !isAsked(options.foresight, history)) return further;
  const all = forecasts(history);
  const forecast = all.find(({ size }) => size >= largestPass);
  if (forecast && forecast.size > largestPass * nearBelow) {
    const jump = largestPass < largeFrom ? furthestJump.small : furthestJump.large;
    const size = Math.min(below(forecast), jump * largestPass, options.max);
    return size > largestPass ? expecting('stable', 'grow', size, forecast) : null;
  }
  const passed = forecast ?? all.findLast(({ size }) => size * nearBelow >= largestPass);
  if (!passed) return null;
  const size = Math.max(above(passed), largestPass + edgeResolutionAt(options, largestPass));
  return isWorthwhile(situation, size, largestPass) ? expecting('unstable', 'grow', size, passed) : null;
}

/** What was foreseen to be too many has held: a little more, and each further time twice as much more. */
function furtherUp(situation: Situation, largestPass: number): Try | null {
  const { options, history } = situation;
  const held = history.filter(({ verdict, foresees }) => verdict === 'stable' && foresees === 'unstable');
  if (held.length > mostFurtherUp || !held.some(({ size }) => size === largestPass)) return null;
  const share = spread.below * 2 ** (held.length - 1);
  const size = Math.max(Math.floor(largestPass * (1 + share)), largestPass + edgeResolutionAt(options, largestPass));
  if (!isWorthwhile(situation, size, largestPass)) return null;
  const text = `${largestPass} held, and was foreseen to be too many: a little further up.`;
  return { kind: 'try', size, why: 'grow', text, foresees: 'unstable' };
}

function isWorthwhile({ options }: Situation, size: number, largestPass: number): boolean {
  return size < Math.min(2 * largestPass, options.max);
}

/** Between a size that held and one that did not; null where the middle is as good. */
export function foreseenBetween({ options, history }: Situation, pass: number, fail: number): Try | null {
  const gap = fail - pass;
  if (gap <= 4 * edgeResolutionAt(options, pass) || !isAsked(options.foresight, history)) return null;
  const isInside = (size: number) => Math.min(size - pass, fail - size) >= Math.max(1, leastCut * gap);
  const forecast = forecasts(history).find(({ size }) => size > pass && size < fail);
  if (!forecast) return null;
  if (isInside(below(forecast))) return expecting('stable', 'bisect', below(forecast), forecast);
  return isInside(above(forecast)) ? expecting('unstable', 'bisect', above(forecast), forecast) : null;
}

/** Of a few it is the size itself, and the next. */
function below({ size }: Forecast): number {
  return Math.floor(size * (1 - spread.below));
}

function above({ size }: Forecast): number {
  return Math.floor(size * (1 + spread.above)) + 1;
}

function expecting(foresees: 'stable' | 'unstable', why: 'grow' | 'bisect', size: number, { text }: Forecast): Try {
  const where = foresees === 'stable' ? 'which should hold' : 'which should be too many';
  return { kind: 'try', size, why, text: `Foreseen: ${text}. Now ${size}, ${where}.`, foresees };
}

function isAsked(foresight: boolean | undefined, history: readonly TrialOutcome[]): boolean {
  if (foresight === false) return false;
  const { wrong, slow } = recordOf(history);
  return wrong < mostWrong && slow < mostSlow;
}

/** How often the foreseen came out otherwise, and how often it gained less than the plain way. */
function recordOf(history: readonly TrialOutcome[]): { readonly wrong: number; readonly slow: number } {
  let [pass, fail, wrong, slow] = [0, Number.POSITIVE_INFINITY, 0, 0];
  for (const { size, verdict, foresees } of history) {
    if (verdict === 'void') continue;
    const [before, plain] = [fail - pass, 2 * pass];
    const wasOpen = fail === Number.POSITIVE_INFINITY;
    if (verdict === 'stable') pass = Math.max(pass, size);
    else fail = Math.min(fail, size);
    if (foresees === undefined) continue;
    if (foresees !== verdict) wrong += 1;
    if (wasOpen ? verdict === 'stable' && size < plain : 2 * (fail - pass) > before + 1) slow += 1;
  }
  return { wrong, slow };
}
