import type { HeadroomLevel } from '../../model/headroom.js';
import type { Step } from '../../model/run.js';
import { worstHeadroom } from '../judge/headroom.js';
import { baselineUnstable, heldAt, nothingToSay, record, stableUpTo, unsureText } from './answer.js';
import { beginning } from './beginning.js';
import { baselineFailuresDemanded } from './demand.js';
import { tallyOf } from './landscape.js';
import { attempt, done, type Situation } from './situation.js';

/** How much more load a level allows, as a share of the present one; at least one size where it is not zero. */
const stepShare: Readonly<Record<HeadroomLevel, number>> = {
  bold: 0.15,
  moderate: 0.075,
  cautious: 0,
  'no-more': 0,
  'back-off': 0,
};

/**
 * The way of load tests on live traffic: up in steps of 15 %, half of that and then one by one as the worst metric
 * nears its threshold, and a stop before it is crossed. The last size is then held until it has passed `confirm` times,
 * so that effects which come late are seen; when it fails, the next lower one that passed is held. With a time to hold,
 * it is then held once for so long, and gives way to the next lower one where that fails or where a metric backs off:
 * of a cluster, on any of its servers, because the worst of all streams is what counts.
 */
export function ramp(situation: Situation): Step {
  const { options, baselineSize, landscape } = situation;
  const { largestPass, ceiling } = landscape;
  const smallestFail = failedAbove(situation, baselineSize);
  if (ceiling && ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null) return beginning(situation);
  if (smallestFail !== null) return hold(situation, largestPassBelow(situation, smallestFail));
  const headroom = headroomAt(situation, largestPass);
  if (headroom === 'no-more' || headroom === 'back-off') return hold(situation, largestPass);
  const top = ceiling ? ceiling.size - 1 : options.max;
  const next = Math.min(top, largestPass + Math.max(1, Math.floor(largestPass * stepShare[headroom])));
  if (next <= largestPass) return hold(situation, largestPass);
  return attempt(next, 'grow', `${largestPass} was stable with ${headroom} headroom: up by ${next - largestPass}.`);
}

function hold(situation: Situation, size: number): Step {
  const { options, baselineSize, landscape, history } = situation;
  const { passes, fails } = tallyOf(landscape, size);
  if (size === baselineSize && fails >= baselineFailuresDemanded(options)) {
    return done(baselineUnstable(landscape, baselineSize));
  }
  if (passes < options.confirm || passes <= fails) {
    const text = `${size} was stable in ${record(landscape, size)}; it is held so that late effects show.`;
    return attempt(size, 'hold', text);
  }
  if (options.holdMs !== undefined) {
    const held = history.filter(
      (trial) => trial.size === size && trial.held && trial.verdict === 'stable' && !trial.screened,
    );
    if (held.length === 0) return longHold(situation, size, options.holdMs);
    const backsOff = held.some(({ headroom }) => headroom === 'back-off');
    if (backsOff && size > baselineSize) return hold(situation, largestPassBelow(situation, size));
  }
  const { ceiling } = landscape;
  const smallestFail = failedAbove(situation, baselineSize);
  if (smallestFail !== null) return done(heldAt(landscape, size, smallestFail));
  // It gave way to a lower one because a metric backed off.
  if (size < (landscape.largestPass ?? size)) return done(heldAt(landscape, size, null));
  const headroom = headroomAt({ history }, size);
  if (headroom === 'no-more' || headroom === 'back-off') return done(heldAt(landscape, size, null));
  if (ceiling?.lastTryLeft) {
    return attempt(ceiling.size, 'repeat-void', `${unsureText(ceiling)}: once more.`);
  }
  return done(stableUpTo(options, landscape, size));
}

function longHold({ landscape }: Situation, size: number, holdMs: number): Step {
  const text = `${size} was stable in ${record(landscape, size)}; it is held for ${holdMs / 1000} s.`;
  return { ...attempt(size, 'hold', text), holdMs };
}

function largestPassBelow({ baselineSize, landscape }: Situation, smallestFail: number): number {
  return landscape.tallies.findLast((tally) => tally.size < smallestFail)?.size ?? baselineSize;
}

/** One session alone that failed and then passed does not stop the ramp. */
function failedAbove({ landscape }: Situation, size: number): number | null {
  return landscape.tallies.find((tally) => tally.fails > 0 && tally.size > size)?.size ?? null;
}

function headroomAt({ history }: Pick<Situation, 'history'>, size: number): HeadroomLevel {
  const trials = history.filter((trial) => trial.size === size && trial.verdict === 'stable');
  return worstHeadroom(trials.map((trial) => trial.headroom ?? 'cautious'));
}
