import type { Answer, Step, TrialOutcome } from '../../model/run.js';
import { flakySizes, hasPassed } from './landscape.js';
import { furthestLingering, type SteadyBelief } from './lingering.js';
import { attempt, type Situation } from './situation.js';
import { judgedIn } from './unsure.js';

/** So believable it must be that an overload lingers: to spend a trial on letting the server rest, and to be named. */
const worthARest = 0.3;
const worthTelling = 0.9;

export const mayLinger = ({ lingers }: SteadyBelief): boolean => lingers >= worthARest;

/**
 * Where an overload may linger, a size that failed right after other failures alone is tried once more after a pass.
 * Before that a size that it carries all the same lets the server rest.
 */
export function restedStep(situation: Situation, belief: SteadyBelief, size: number): Step | null {
  if (!mayLinger(belief)) return null;
  if (!lastFailed(situation.history))
    return failedTiredAlone(situation.history, size)
      ? attempt(size, 'refute', `${size} failed right after other failures alone: once more after a pass.`)
      : null;
  const reach = size * Math.exp(-furthestLingering);
  const sound = situation.landscape.tallies.findLast((one) => hasPassed(one) && one.fails === 0 && one.size <= reach);
  if (sound === undefined) return null;
  const text = `After a trial that failed, sizes fail that pass otherwise: ${sound.size} lets the server rest.`;
  return attempt(sound.size, 'anchor', text);
}

const lastFailed = (history: readonly TrialOutcome[]): boolean => judgedIn(history).at(-1)?.verdict === 'unstable';

/** Whether this size failed, and each time right after a trial that failed. */
function failedTiredAlone(history: readonly TrialOutcome[], size: number): boolean {
  const judged = judgedIn(history);
  const before = judged.flatMap((one, index) =>
    one.size === size && one.verdict === 'unstable' ? [judged[index - 1]?.verdict] : [],
  );
  return before.length > 0 && before.every((verdict) => verdict === 'unstable');
}

/** Whether another trial of this size would come right after a failure, as all of its failures did. */
export const isTired = (history: readonly TrialOutcome[], size: number): boolean =>
  lastFailed(history) && failedTiredAlone(history, size);

/** An answer with the sizes that an overload before them likely made fail. */
export function withLingering({ landscape, history, beliefs }: Situation, answer: Answer): Answer {
  const isContested = landscape.setbacks + landscape.surprises > 0;
  if (answer.outcome !== 'found' || !isContested || beliefs.steady().lingers < worthTelling) return answer;
  const lingers = flakySizes(landscape).filter((size) => failedTiredAlone(history, size));
  return lingers.length === 0 ? answer : { ...answer, lingers };
}
