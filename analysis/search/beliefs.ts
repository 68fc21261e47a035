import type { TrialOutcome } from '../../model/run.js';
import { type Belief, believe, certaintyOf, chanceOf, coarse, seenOf } from './belief.js';
import type { Seen } from './explained.js';
import { believeSteady, type SteadyBelief } from './lingering.js';
import { evidenceIn } from './screened.js';

/** Beliefs from the verdicts, computed on demand: most steps need none, some the same one three times. */
export interface Beliefs {
  readonly steady: () => SteadyBelief;
  readonly ageing: () => AgeingBelief;
}

/** @param below the size from which on trials say nothing of the server */
export function beliefsOf(past: readonly TrialOutcome[], below: number): Beliefs {
  const history = evidenceIn(past);
  const steady = once(() => believeSteady(history, below));
  return { steady, ageing: once(() => believeAgeing(steady(), history, below)) };
}

function once<Value extends object>(work: () => Value): () => Value {
  let known: Value | undefined;
  return () => {
    known ??= work();
    return known;
  };
}

/** A way in which a server may get worse: its capacity shrinks by `rate` (as a logarithm) with each of these. */
interface Ageing {
  readonly by: 'trials' | 'failures';
  readonly rate: number;
  readonly likely: number;
}

/** From 1 to 6 % with each trial, from 6 to 20 % with each overload. */
const ageings: readonly Ageing[] = [
  { by: 'trials', rate: 0.01, likely: 0.2 },
  { by: 'trials', rate: 0.02, likely: 0.2 },
  { by: 'trials', rate: 0.035, likely: 0.15 },
  { by: 'trials', rate: 0.06, likely: 0.1 },
  { by: 'failures', rate: 0.06, likely: 0.1 },
  { by: 'failures', rate: 0.12, likely: 0.15 },
  { by: 'failures', rate: 0.22, likely: 0.1 },
];

/** How a server that gets worse explains a history, beside one that stays as it is. */
interface AgeingBelief {
  /** Natural logarithm of how many times better. */
  readonly weight: number;
  /** How believable it is, 0 to 1. */
  readonly share: number;
  /** The chance that a trial of this size would pass now, if it gets worse. */
  readonly chanceNow: (size: number) => number;
  /** The same, if it stays as it is. */
  readonly chanceAnyTime: (size: number) => number;
  /** How believable it is that this size is stable now, whichever of the two the server is. */
  readonly certaintyNow: (size: number) => number;
}

/** Beforehand, one server in five is taken for one that may get worse. */
const likelyAgeing = 0.2;

/**
 * A server that shrinks by a fixed share is one that stays, with sizes that grow by that share: so both are weighed by
 * the same curves. The order in which the trials came is all that tells them apart, and it is only read by likelihood:
 * when a search stops, and which sizes it chose, does not bias that.
 */
function believeAgeing(steady: SteadyBelief, history: readonly TrialOutcome[], below: number): AgeingBelief {
  const all = ageings.map((ageing) => {
    const { moved, age } = ageSizes(history, ageing, below);
    const belief = believe(moved, coarse);
    return { belief, shift: ageing.rate * age, score: belief.evidence + Math.log(ageing.likely) };
  });
  const best = all.reduce((most, one) => (one.score > most.score ? one : most));
  const total = all.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0);
  const weight = best.score + Math.log(total) - steady.plain;
  const odds = (Math.exp(weight) * likelyAgeing) / (1 - likelyAgeing);
  const share = odds / (1 + odds);
  return {
    weight,
    share,
    chanceNow: (size) => meanChance(best.belief, Math.log(size) + best.shift),
    chanceAnyTime: (size) => meanChance(steady, Math.log(size)),
    certaintyNow: (size) =>
      (1 - share) * certaintyOf(steady, size) + share * certaintyOf(best.belief, size * Math.exp(best.shift)),
  };
}

/** Trials that say something, each where a server that does not shrink would have met it; and the final age. */
function ageSizes(history: readonly TrialOutcome[], { by, rate }: Ageing, below: number) {
  const moved: Seen[] = [];
  let failures = 0;
  for (const [index, trial] of history.entries()) {
    const at = Math.log(trial.size) + rate * (by === 'trials' ? index : failures);
    moved.push(...seenOf(trial, at, below));
    if (trial.verdict === 'unstable') failures += 1;
  }
  return { moved: moved.sort((a, b) => a.at - b.at), age: by === 'trials' ? history.length : failures };
}

function meanChance({ curves }: Belief, at: number): number {
  return curves.reduce((sum, curve) => sum + curve.weight * chanceOf(curve, at), 0);
}
