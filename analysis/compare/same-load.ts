import type { FinishedRun } from '../search/result.js';
import { type ComparedFact, compareRuns } from './compare.js';

/** Facts that make runs of one scenario runs of different loads: a room of four and one of eight are called the same. */
const ofTheLoad =
  /^(scenario|members of a room|connections by which one receives|recording|media|limits|networks|TURN)(:|$| count)/;

/** Why the limits of these runs count different things; `undefined` where they do not. */
export function differentLoad(runs: readonly FinishedRun[]): ComparedFact | undefined {
  return compareRuns(runs).facts.find(({ label, same }) => !same && ofTheLoad.test(label));
}

/** What else may be the reason for another limit: the machine that the server was on, or all was played on. */
const ofThePlace =
  /^(server on the probe host|up-link given|CPU given|cores$|CPU$|memory|kernel|chromium|loadline|probes$)/;

export function differentPlaces(runs: readonly FinishedRun[]): readonly string[] {
  return compareRuns(runs)
    .facts.filter(({ label, same }) => !same && ofThePlace.test(label))
    .map(({ label, values }) => `${label}: ${[...new Set(values)].join(', ')}`);
}
