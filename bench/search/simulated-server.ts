import type { TrialOutcome } from '../../model/run.js';

/** How the chance to pass falls around the capacity. */
type Shape = 'line' | 'logistic';

export interface PassCurve {
  /** The last size a server without a flaky zone holds. */
  readonly capacity: number;
  /** The size with an even chance to pass, above the capacity and at most the next one. */
  readonly evenChanceAt: number;
  /** The flaky zone's width as a share of the capacity. */
  readonly flakyPercent: number;
  readonly shape: Shape;
  readonly voidRate: number;
}

/** The true probability that a trial of this size is stable, when it is not void. */
export function passProbability(server: PassCurve, size: number): number {
  const width = (server.capacity * server.flakyPercent) / 100;
  const offset = size - server.evenChanceAt;
  if (width === 0) return offset < 0 ? 1 : 0;
  if (server.shape === 'line') return Math.min(1, Math.max(0, 0.5 - offset / width));
  // 98 % at the zone's lower end, 2 % at its upper end.
  return 1 / (1 + Math.exp((offset / width) * 2 * Math.log(49)));
}

/** One trial of `size`. */
export function trialOf(server: PassCurve, size: number, random: () => number): TrialOutcome {
  if (random() < server.voidRate) return { size, verdict: 'void', probesExhausted: false };
  return { size, verdict: random() < passProbability(server, size) ? 'stable' : 'unstable' };
}

export interface Population {
  readonly capacities: readonly [number, number];
  /** Flaky zones are up to this wide, as a share of the capacity; a third of the servers have none. */
  readonly widestPercent: number;
  /** Where the even chance lies between the capacity and the next size: in the middle, or anywhere. */
  readonly evenChance: 'middle' | 'anywhere';
}

export function drawServer(random: () => number, population: Population): PassCurve {
  const [smallest, largest] = population.capacities;
  const capacity = smallest + Math.floor(random() * (largest - smallest + 1));
  const flakyPercent = random() < 1 / 3 ? 0 : random() * population.widestPercent;
  const shape = random() < 0.5 ? 'line' : 'logistic';
  const voidRate = random() * 0.2;
  const above = population.evenChance === 'middle' ? 0.5 : 1 - random();
  return { capacity, evenChanceAt: capacity + above, flakyPercent, shape, voidRate };
}
