import type { Answer, Step } from '../../model/run.js';
import { fixedAnswer, nothingToSay, record } from './answer.js';
import { beginning } from './beginning.js';
import { tallyOf } from './landscape.js';
import { attempt, type Situation } from './situation.js';

/**
 * A given list of sizes in the order given, for comparing servers at the same loads. Each is tried until it has passed
 * `confirm` times or failed `refute` times; one that is void as often as may be is left out, and so is every larger
 * one.
 */
export function fixed(situation: Situation): Step {
  const { options, baselineSize, landscape } = situation;
  const { largestPass, ceiling } = landscape;
  if (ceiling && ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null) return beginning(situation);
  const size = options.sizes?.find((listed) => (!ceiling || listed < ceiling.size) && !isSettled(situation, listed));
  if (size === undefined) return done(fixedAnswer(options, landscape, baselineSize));
  return attempt(size, 'fixed', `${size} is on the list; so far stable in ${record(landscape, size)}.`);
}

function isSettled({ options, landscape }: Situation, size: number): boolean {
  const { passes, fails } = tallyOf(landscape, size);
  return passes >= options.confirm || fails >= options.refute;
}

function done(answer: Answer): Step {
  return { kind: 'done', answer };
}
