import { resolutionAt } from '../../analysis/search/search.js';
import { searchSchema } from '../../model/plan.js';
import { randomFrom } from '../../tests/random.js';
import type { Contender, Found } from './contenders.js';
import { drawServer, type PassCurve, type Population, passProbability, trialOf } from './simulated-server.js';

/** Shares are percentages of the servers they are about; costs are means per server. */
export interface SearchQuality {
  /** The stable size truly passes at least 80 % of its trials. */
  readonly trulyStablePercent: number;
  /** The size with an even chance to pass lies between stable and unstable, one resolution of grace on either side. */
  readonly evenChanceInsidePercent: number;
  /** Of the servers without a flaky zone: the limit lies between the two, and they are one resolution apart. */
  readonly oneStepApartPercent: number;
  readonly trials: number;
  readonly trials95: number;
  /** Load carried in all trials together, void ones too, in multiples of the server's capacity. */
  readonly load: number;
}

/** Searches `servers` seeded servers of a population. */
export function measureSearch(contender: Contender, servers: number, population: Population): SearchQuality {
  const searched = Array.from({ length: servers }, (_, index) => {
    const random = randomFrom((index + 1) * 7919);
    const server = drawServer(random, population);
    return { server, found: contender.search((size) => trialOf(server, size, random)) };
  });
  const sharp = searched.filter(({ server }) => server.flakyPercent === 0);
  const trials = searched.map(({ found }) => found.history.length).sort((a, b) => a - b);
  const share = (of: typeof searched, fits: (server: PassCurve, found: Found, step: number) => boolean) =>
    (100 * of.filter(({ server, found }) => fits(server, found, stepOf(contender, found))).length) / of.length;
  return {
    trulyStablePercent: share(searched, isTrulyStable),
    evenChanceInsidePercent: share(searched, isEvenChanceInside),
    oneStepApartPercent: share(sharp, isOneStepApart),
    trials: mean(trials),
    trials95: trials[Math.floor(trials.length * 0.95)] ?? 0,
    load: mean(searched.map(({ server, found }) => loadOf(found) / server.capacity)),
  };
}

function stepOf(contender: Contender, found: Found): number {
  return resolutionAt(searchSchema.parse({ within: contender.within }), Math.max(1, found.stable));
}

/** "Not even the baseline" is right where the baseline truly passes less than 80 % of its trials. */
function isTrulyStable(server: PassCurve, found: Found): boolean {
  if (found.void) return false;
  return found.stable === 0 ? passProbability(server, 1) < 0.8 : passProbability(server, found.stable) >= 0.8;
}

function isEvenChanceInside(server: PassCurve, found: Found, step: number): boolean {
  const even = server.evenChanceAt;
  const unstable = found.unstable ?? Number.POSITIVE_INFINITY;
  return !found.void && found.stable - step <= even && even <= unstable + step;
}

function isOneStepApart(server: PassCurve, found: Found, step: number): boolean {
  const { stable, unstable } = found;
  if (found.void || unstable === null) return false;
  return unstable - stable <= step && stable <= server.capacity && unstable > server.capacity;
}

function loadOf(found: Found): number {
  return found.history.reduce((sum, trial) => sum + trial.size, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
