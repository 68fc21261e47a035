import type { TrialOutcome } from '../../model/run.js';
import { type AgeingBelief, believeAgeing } from './ageing.js';
import { type Belief, believe, seenBySize } from './belief.js';
import { evidenceIn } from './screened.js';

/** Beliefs from the verdicts, computed on demand: most steps need none, some the same one three times. */
export interface Beliefs {
  readonly steady: () => Belief;
  readonly ageing: () => AgeingBelief;
}

/** @param below the size from which on trials say nothing of the server */
export function beliefsOf(past: readonly TrialOutcome[], below: number): Beliefs {
  const history = evidenceIn(past);
  const steady = once(() => believe(seenBySize(history, below)));
  return { steady, ageing: once(() => believeAgeing(steady(), history, below)) };
}

function once<Value extends object>(work: () => Value): () => Value {
  let known: Value | undefined;
  return () => {
    known ??= work();
    return known;
  };
}
