import type { TrialOutcome } from '../../model/run.js';
import { anyOf, type Belief, believe, coarse, seenBySize, seenOf } from './belief.js';
import type { Seen } from './explained.js';
import { judgedIn } from './unsure.js';

/**
 * An overload may linger: right after a trial that failed, a server carries less by this much (as a logarithm), and the
 * next trial that passes ends that (hysteresis).
 */
const lingerings = [
  { by: 0.15, likely: 0.01 },
  { by: 0.3, likely: 0.02 },
] as const;

/** By how much less it carries at most, as a logarithm. */
export const furthestLingering = Math.max(...lingerings.map(({ by }) => by));

export interface SteadyBelief extends Belief {
  /** The evidence of servers on which none does. */
  readonly plain: number;
  /** How believable it is that an overload lingers, 0 to 1. */
  readonly lingers: number;
}

/** A server that stays as it is, be it one on which an overload lingers. */
export function believeSteady(history: readonly TrialOutcome[], below: number): SteadyBelief {
  const likely = lingerings.reduce((sum, one) => sum + one.likely, 0);
  const plain = believe(seenBySize(history, below));
  const all = anyOf([
    { belief: plain, likely: 1 - likely },
    ...lingerings.map((one) => ({ belief: believe(rested(history, one.by, below), coarse), likely: one.likely })),
  ]);
  return { ...all, plain: plain.evidence, lingers: 1 - (1 - likely) * Math.exp(plain.evidence - all.evidence) };
}

/** Trials right after one that failed are each where a server that had rested would have met it. */
function rested(history: readonly TrialOutcome[], by: number, below: number): Seen[] {
  const judged = judgedIn(history);
  const seen = judged.flatMap((trial, index) => {
    const isTired = judged[index - 1]?.verdict === 'unstable';
    return seenOf(trial, Math.log(trial.size) + (isTired ? by : 0), below);
  });
  return seen.sort((a, b) => a.at - b.at);
}
