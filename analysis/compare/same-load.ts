import type { FinishedRun } from '../../model/finished-run.js';
import { type ComparedFact, type Comparison, compareRuns } from './compare.js';

/** Facts that make runs of one scenario different loads: rooms of four and of eight have the same name. */
const ofTheLoad =
  /^(scenario|members of a room|who sends beside viewers|connections by which one receives|recording|media|limits|networks|TURN)(:|$| count)/;

/** Why the limits of these runs count different things; `undefined` where they do not. */
export function differentLoad(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return compareRuns(runs).facts.find(({ label, same }) => !same && ofTheLoad.test(label));
}

/** As `differentLoad`, or measured for another time, or joined at another pace: no repeats of one plan. */
export function differentPlan(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return differentFact(compareRuns(runs).facts);
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
  return facts.find(({ label, same }) => !same && (ofTheLoad.test(label) || /^timing(:|$)/.test(label)));
}

/** What makes another machine, or another means of measuring, of which limits and costs are not those of the first. */
const ofTheMachine =
  /^(server on the probe host|up-link given|CPU given|servers of the cluster|placement of sessions|cores$|CPU$|probes$)/;

export function isSameMachine(a: FinishedRun, b: FinishedRun): boolean {
  if (a.manifest.hostType !== b.manifest.hostType) return false;
  return compareRuns([a, b]).facts.every(({ label, same }) => same || !ofTheMachine.test(label));
}

/** What else may be part of the reason for another limit. */
const ofThePlace = /^(memory|kernel|chromium|loadline)/;

export function differentPlaces(runs: readonly FinishedRun[]): readonly string[] {
  return compareRuns(runs)
    .facts.filter(({ label, same }) => !same && ofThePlace.test(label))
    .map(({ label, values }) => `${label}: ${[...new Set(values)].join(', ')}`);
}
