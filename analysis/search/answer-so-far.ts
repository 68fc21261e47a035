import type { SearchOptions } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { asides, baselineUnstable, nothingToSay, record } from './answer.js';
import { apartFromBackground, withBackground } from './background.js';
import { isHeld, surveyLandscape } from './landscape.js';
import { unlessNeverConnected } from './never-connected.js';

/**
 * The best interval that a search cut short can give. Its sides may rest on a single trial, and its sentence says on
 * how many they do.
 *
 * @param stoppedBy a sentence: "The time budget of 45 min is used up."
 */
export function answerSoFar(
  options: SearchOptions,
  baselineSize: number,
  all: readonly TrialOutcome[],
  stoppedBy: string,
): Answer {
  const history = apartFromBackground(options, all);
  return withBackground(soFar({ options, baselineSize, history, stoppedBy }), history);
}

interface CutShort {
  readonly options: SearchOptions;
  readonly baselineSize: number;
  readonly history: readonly TrialOutcome[];
  readonly stoppedBy: string;
}

function soFar({ options, baselineSize, history, stoppedBy }: CutShort): Answer {
  const landscape = surveyLandscape(options, history);
  const { smallestFail, largestPass, tallies } = landscape;
  if (largestPass === null && smallestFail !== null)
    return unlessNeverConnected({ ...baselineUnstable(landscape, baselineSize), cutShort: true }, history);
  const stable = tallies.findLast((tally) => isHeld(tallies, tally));
  if (!stable) {
    const { outcome } = nothingToSay(landscape, baselineSize);
    const because = `${stoppedBy} Nothing had been confirmed.`;
    return { outcome, stable: 0, unstable: null, flaky: [], because, cutShort: true };
  }
  const unstable = tallies.find((tally) => tally.size > (largestPass ?? 0));
  const steered = tallies.findLast((tally) => tally.size > stable.size && tally.screened > 0);
  const between = steered ? `, ${steered.size} in trials that confirm nothing` : '';
  const above = unstable ? `, ${unstable.size} in ${record(landscape, unstable.size)}` : '';
  return {
    outcome:
      unstable || stable.size < (largestPass ?? 0) ? 'found' : landscape.ceiling ? 'probe-limited' : 'reached-max',
    stable: stable.size,
    unstable: unstable?.size ?? null,
    ...asides(landscape, stable.size),
    because: `${stoppedBy} Until then ${stable.size} was stable in ${record(landscape, stable.size)} trials${between}${above}.`,
    cutShort: true,
  };
}
