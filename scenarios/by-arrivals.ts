import { presentAtATime, sessionsOf, stormSize, unitByRate } from '../model/arrivals.js';
import type { Load } from '../model/load.js';
import type { Scenario, Session } from '../model/scenario.js';

/**
 * The same scenario, where a size is how fast they come who come in it: then a trial has all of them, after those who
 * stay beside them. Others stay as they are.
 */
export function byArrivals(
  scenario: Scenario,
  load: Load,
  measureMs: number,
  sentinels: readonly Session[] = [],
): Scenario {
  const { coming } = scenario;
  if (load.by !== 'arrivals' || !coming) return scenario;
  return {
    ...scenario,
    unit: unitByRate(coming.unit, load.perMs),
    sessions: (size) => {
      const count = sessionsOf(size, load, measureMs) + stormSize(size, load);
      return [...sentinels, ...coming.sessions(count, presentAtATime(size, load))];
    },
  };
}
