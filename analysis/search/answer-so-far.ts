import type { SearchOptions } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { baselineUnstable, nothingToSay, record } from './answer.js';
import { flakySizes, surveyLandscape } from './landscape.js';

/**
 * The best interval that a search cut short can give. Its sides may rest on a single trial, and its sentence says on
 * how many they do.
 *
 * @param stoppedBy a sentence: "The time budget of 45 min is used up."
 */
export function answerSoFar(
  options: SearchOptions,
  baselineSize: number,
  history: readonly TrialOutcome[],
  stoppedBy: string,
): Answer {
  const landscape = surveyLandscape(options, history);
  const { smallestFail, largestPass, tallies } = landscape;
  if (smallestFail !== null && smallestFail <= baselineSize) return baselineUnstable(landscape, baselineSize);
  const stable = tallies.findLast((tally) => tally.passes > 0 && (smallestFail === null || tally.size < smallestFail));
  if (!stable) {
    const { outcome } = nothingToSay(landscape, baselineSize);
    const because = `${stoppedBy} Nothing had been measured that says anything.`;
    return { outcome, stable: 0, unstable: null, flaky: [], because, cutShort: true };
  }
  const unstable = tallies.find((tally) => tally.size > (largestPass ?? 0));
  const above = unstable ? `, ${unstable.size} in ${record(landscape, unstable.size)}` : '';
  return {
    outcome: unstable ? 'found' : landscape.ceiling ? 'probe-limited' : 'reached-max',
    stable: stable.size,
    unstable: unstable?.size ?? null,
    flaky: flakySizes(landscape),
    because: `${stoppedBy} Until then ${stable.size} was stable in ${record(landscape, stable.size)} trials${above}.`,
    cutShort: true,
  };
}
