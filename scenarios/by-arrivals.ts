import { presentAtATime, sessionsOf, stormSize } from '../model/arrivals.js';
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
  const { one, many } = coming.unit;
  const span = spanText(load.perMs);
  return {
    ...scenario,
    unit: { one: `${one} begun per ${span}`, many: `${many} begun per ${span}` },
    sessions: (size) => {
      const count = sessionsOf(size, load, measureMs) + stormSize(size, load);
      return [...sentinels, ...coming.sessions(count, presentAtATime(size, load))];
    },
  };
}

/** "second", "10 s", "minute". */
function spanText(perMs: number): string {
  if (perMs === 1000) return 'second';
  return perMs === 60_000 ? 'minute' : `${perMs / 1000} s`;
}
