import type { TrialOutcome } from '../../model/run.js';
import { type UsedKind, usedUnits, usedWords } from '../../model/used.js';
import { lineThrough, type Point } from '../statistics/statistics.js';
import { judgedIn } from './unsure.js';

/** Where a limit is expected: an estimate, by which sizes are chosen and nothing is judged. */
export interface Forecast {
  /** The largest size that is expected to hold; a fraction, because it is no size yet. */
  readonly size: number;
  /** "0.043 cores each, 2 cores: about 44". */
  readonly text: string;
}

/** Usable shares of each resource, before participants notice: a CPU makes them wait before it is full. */
const usableShare: Readonly<Record<UsedKind, number>> = {
  'server-cpu': 0.95,
  'host-cpu': 0.95,
  'server-memory': 0.95,
  egress: 1,
  delivered: 1,
};

/** A failed trial shows how much there is of what it used clearly less of than its sessions would have. */
const flattenedBelow = 0.9;
/** What rises by less from the smallest to the largest size says nothing. */
const leastRise = 0.1;
/** A threshold is followed to its limit from this share of the way on: before, its trend is noise. */
const followedFromPercent = 25;

/**
 * Where each of what was seen says the limit is, the nearest first: what a session takes, against how much there is;
 * and each threshold by its trend. Two trials of different sizes are enough.
 */
export function forecasts(history: readonly TrialOutcome[]): readonly Forecast[] {
  const judged = judgedIn(history);
  const all = [...resourceForecasts(judged), ...trendForecasts(judged)];
  return all.filter(({ size }) => Number.isFinite(size) && size > 0).sort((a, b) => a.size - b.size);
}

function resourceForecasts(judged: readonly TrialOutcome[]): Forecast[] {
  const kinds = new Set(judged.flatMap(({ used = [] }) => used.map(({ what }) => what)));
  return [...kinds].flatMap((what) => resourceForecast(what, judged) ?? []);
}

function resourceForecast(what: UsedKind, judged: readonly TrialOutcome[]): Forecast | undefined {
  const seen = judged.flatMap(({ size, verdict, used = [] }) =>
    used.filter((one) => one.what === what).map((one) => ({ size, verdict, ...one })),
  );
  const points = seen.filter(({ verdict }) => verdict === 'stable').map(({ size, amount }) => ({ at: size, amount }));
  const line = lineThrough(points);
  if (!line || !isRising(points)) return undefined;
  const { slope, start } = line;
  const told = seen.flatMap(({ available }) => available ?? []).map((amount) => amount * usableShare[what]);
  const reached = seen
    .filter(({ verdict, size, amount }) => verdict === 'unstable' && amount < flattenedBelow * (start + slope * size))
    .map(({ amount }) => amount);
  const limits = [...told, ...reached];
  if (limits.length === 0) return undefined;
  const limit = Math.min(...limits);
  const size = (limit - start) / slope;
  const unit = usedUnits[what];
  const isTold = limit === Math.min(...told);
  const there = isTold ? `${rounded(limit)} of them can be used` : `${rounded(limit)} ${unit} were the most there was`;
  return {
    size,
    text: `${rounded(slope)} ${usedWords[what]} each, ${there}: about ${Math.max(1, Math.floor(size))}`,
  };
}

function isRising(points: readonly Point[]): boolean {
  const [smallest, largest] = [points.reduce(smaller), points.reduce(larger)];
  return largest.at > smallest.at && largest.amount > smallest.amount * (1 + leastRise);
}

/** Each threshold on its way to its limit: along the two largest sizes that held, or one that held and one failed. */
function trendForecasts(judged: readonly TrialOutcome[]): Forecast[] {
  const keys = new Map(judged.flatMap(({ margins = [] }) => margins.map(({ threshold, label }) => [threshold, label])));
  return [...keys].flatMap(([threshold, label]) => trendForecast(threshold, label, judged) ?? []);
}

function trendForecast(threshold: string, label: string, judged: readonly TrialOutcome[]): Forecast | undefined {
  const points = judged
    .filter(({ verdict }) => verdict === 'stable')
    .flatMap(({ size, margins = [] }) =>
      margins
        .filter((one) => one.threshold === threshold)
        .map(({ usedPercent }) => ({ at: size, amount: usedPercent })),
    )
    .sort((a, b) => a.at - b.at);
  const last = points.at(-1);
  const before = points.findLast(({ at }) => last && at < last.at);
  if (!last || !before || last.amount < followedFromPercent || last.amount <= before.amount) return undefined;
  const slope = (last.amount - before.amount) / (last.at - before.at);
  const size = last.at + (100 - last.amount) / slope;
  const used = `${Math.round(before.amount)} % of its limit with ${before.at}, ${Math.round(last.amount)} % with ${last.at}`;
  return { size, text: `${label} was at ${used}: about ${Math.max(1, Math.floor(size))}` };
}

function smaller(one: Point, other: Point): Point {
  return other.at < one.at ? other : one;
}

function larger(one: Point, other: Point): Point {
  return other.at > one.at ? other : one;
}

/** Two figures: 0.043, and not 0.04. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(2)));
}
