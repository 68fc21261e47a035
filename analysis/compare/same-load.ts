import type { FinishedRun } from '../../model/finished-run.js';
import type { Comparison } from './compare.js';
import { type ComparedFact, comparedFacts, isOf } from './compared-facts.js';

/** Why the limits of these runs count different things; `undefined` where they do not. */
export function differentLoad(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return comparedFacts(runs).find((fact) => !fact.same && isOf('load', fact));
}

/** As `differentLoad`, or measured for another time, or joined at another pace: no repeats of one plan. */
export function differentPlan(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return differentFact(comparedFacts(runs));
}

/** Of the first run and the one at that place. */
export function differentFromFirst({ facts }: Comparison, index: number): ComparedFact | undefined {
  const two = facts.map(({ label, values: [first = '–', ...others] }) => {
    const own = others[index - 1] ?? '–';
    return { label, values: [first, own], same: first === own };
  });
  return differentFact(two);
}

function differentFact(facts: readonly ComparedFact[]): ComparedFact | undefined {
  return facts.find((fact) => !fact.same && (isOf('load', fact) || isOf('timing', fact)));
}

export function isSameMachine(a: FinishedRun, b: FinishedRun): boolean {
  if (a.manifest.hostType !== b.manifest.hostType) return false;
  return comparedFacts([a, b]).every((fact) => fact.same || !isOf('machine', fact));
}

/** What else may be part of the reason for another limit. */
export function differentPlaces(runs: readonly FinishedRun[]): readonly string[] {
  return comparedFacts(runs)
    .filter((fact) => !fact.same && isOf('place', fact))
    .map(({ label, values }) => `${label}: ${[...new Set(values)].join(', ')}`);
}
