import { type ArrivalsPlan, sessionsOf } from '../model/arrivals.js';
import type { Scenario } from '../model/scenario.js';

/**
 * The same sessions, where a size is how fast they come: then a trial has all those that come in it. Only of scenarios whose size
 * is a number of sessions.
 */
export function byArrivals(scenario: Scenario, arrivals: ArrivalsPlan | undefined, measureMs: number): Scenario {
  if (!arrivals) return scenario;
  const { one, many } = scenario.unit;
  const span = spanText(arrivals.perMs);
  return {
    ...scenario,
    unit: { one: `${one} begun per ${span}`, many: `${many} begun per ${span}` },
    sessions: (size) => scenario.sessions(sessionsOf(size, arrivals, measureMs)),
  };
}

/** "second", "10 s", "minute". */
function spanText(perMs: number): string {
  if (perMs === 1000) return 'second';
  return perMs === 60_000 ? 'minute' : `${perMs / 1000} s`;
}
