import type { FinishedRun } from '../../model/finished-run.js';
import { type ComparedFact, compareRuns } from './compare.js';

/** Facts that make runs of one scenario different loads: rooms of four and of eight have the same name. */
const ofTheLoad =
  /^(scenario|members of a room|who sends beside viewers|connections by which one receives|recording|media|limits|networks|TURN)(:|$| count)/;

/** Why the limits of these runs count different things; `undefined` where they do not. */
export function differentLoad(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return compareRuns(runs).facts.find(({ label, same }) => !same && ofTheLoad.test(label));
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
