import { ascending, median } from '../statistics/statistics.js';

/** What rounds say of one number: the middle one, and an interval for the middle of all such rounds. */
export interface OverRounds {
  readonly middle: number;
  readonly low: number;
  /** Null: nothing says how high. */
  readonly high: number | null;
  /** How surely the interval holds it, 0 to 1; of one round nothing is sure. */
  readonly sure: number;
  readonly rounds: number;
}

/** The one figure that stands for all rounds: the middle, or the least where nothing says how high. */
export function figureOf({ middle, low, high }: Pick<OverRounds, 'middle' | 'low' | 'high'>): number {
  return high === null ? low : middle;
}

/** One round: what it says, and between what it lies. */
export interface RoundValue {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

const sureEnough = 0.95;

/**
 * The interval is between two of the rounds in order, and exact for noise of any shape: each round is above the middle
 * as likely as below (W. R. Thompson, Annals of Mathematical Statistics 7 (1936), 122–128). Ends are those of the
 * rounds, so that what a search left open is in it. Undefined without a round. It is less sure where what rounds found
 * decided how many there are.
 */
export function overRounds(values: readonly RoundValue[], mostSure = 1): OverRounds | undefined {
  const middle = median(values.map(({ value }) => value));
  if (middle === undefined) return undefined;
  const rounds = values.length;
  let rank = 1;
  while (2 * (rank + 1) <= rounds && sureness(rank + 1, rounds) >= sureEnough) rank += 1;
  const lows = ascending(values.map(({ low }) => low));
  const highs = ascending(values.map(({ high }) => high ?? Number.POSITIVE_INFINITY));
  const high = highs[rounds - rank] ?? Number.POSITIVE_INFINITY;
  return {
    middle,
    low: lows[rank - 1] ?? middle,
    high: Number.isFinite(high) ? high : null,
    sure: Math.min(sureness(rank, rounds), mostSure),
    rounds,
  };
}

/** Of rounds that each say one number; of one without end nothing says how high. */
export function overNumbers(values: readonly number[], mostSure?: number): OverRounds | undefined {
  const each = values.map((value) => ({ value, low: value, high: Number.isFinite(value) ? value : null }));
  return overRounds(each, mostSure);
}

/** That the middle lies between the so manieth lowest and highest of rounds: not so few are on either side of it. */
export function sureness(rank: number, rounds: number): number {
  let [ways, below] = [1, 0];
  for (let count = 0; count < rank; count += 1) {
    below += ways;
    ways = (ways * (rounds - count)) / (count + 1);
  }
  return 1 - (2 * below) / 2 ** rounds;
}
