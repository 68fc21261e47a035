import type { TrialOutcome } from '../../model/run.js';

/** How the chance to pass falls around the capacity. */
export type Shape = 'line' | 'logistic';

export interface SimulatedServer {
  readonly seed: number;
  /** The last size a server without a flaky zone holds. */
  readonly capacity: number;
  /** The flaky zone's width as a share of the capacity. */
  readonly flakyPercent: number;
  readonly shape: Shape;
  readonly voidRate: number;
}

/** The size with an even chance to pass: half a size above the capacity, so that a sharp server holds exactly that. */
export function evenChanceAt(server: SimulatedServer): number {
  return server.capacity + 0.5;
}

/** The true probability that a trial of this size is stable, when it is not void. */
export function passProbability(server: SimulatedServer, size: number): number {
  const width = (server.capacity * server.flakyPercent) / 100;
  const offset = size - evenChanceAt(server);
  if (width === 0) return offset < 0 ? 1 : 0;
  if (server.shape === 'line') return Math.min(1, Math.max(0, 0.5 - offset / width));
  // 98 % at the zone's lower end, 2 % at its upper end.
  return 1 / (1 + Math.exp((offset / width) * 2 * Math.log(49)));
}

/** One trial of `size`. */
export function trialOf(server: SimulatedServer, size: number, random: () => number): TrialOutcome {
  if (random() < server.voidRate) return { size, verdict: 'void', probesExhausted: false };
  return { size, verdict: random() < passProbability(server, size) ? 'stable' : 'unstable' };
}

/** One server of the population: capacity evenly between the two, a third of them without a flaky zone. */
export function drawServer(seed: number, random: () => number, smallest: number, largest: number): SimulatedServer {
  const capacity = smallest + Math.floor(random() * (largest - smallest + 1));
  const flakyPercent = random() < 1 / 3 ? 0 : random() * 10;
  const shape = random() < 0.5 ? 'line' : 'logistic';
  return { seed, capacity, flakyPercent, shape, voidRate: random() * 0.2 };
}
