import type { Finding, MetricValue, RunEntry, RunMark } from '../../model/monitor.js';
import { quantity } from '../wording/quantity.js';
import { capital, plural } from '../wording/wording.js';
import { usualOf } from './robust.js';

/** A drift is what so many runs in a row agree on: one odd run is not one. */
const driftRuns = 3;
/** Fewer runs before them say too little of what is usual. */
const usualRunsMin = 8;
/** In scaled median absolute deviations; with three runs in a row, chance alone does not get there. */
const deviationsMin = 4;
/** Share of the usual value, and of the way from it to the threshold, that is worth a person's while. */
const shareMin = 0.1;

/**
 * Metrics that have moved for the worse and stayed there: each of the last three runs lies far outside of what was
 * usual in the good runs before them.
 */
export function driftFindings(now: RunMark, same: readonly RunEntry[], good: readonly RunEntry[]): Finding[] {
  const recent = [...same.filter(({ mark }) => mark.verdict === 'stable').slice(-(driftRuns - 1)), { mark: now }];
  if (recent.length < driftRuns) return [];
  const newest = new Set<RunMark>(recent.map(({ mark }) => mark));
  const before = good.filter(({ mark }) => !newest.has(mark));
  return Object.entries(now.metrics).flatMap(([name, metric]) => {
    const latest = valuesOf(name, recent);
    const earlier = valuesOf(name, before);
    if (latest.length < driftRuns || earlier.length < usualRunsMin) return [];
    const text = driftText(name, metric, latest, earlier);
    return text === undefined ? [] : [{ kind: 'drift' as const, level: 'warning' as const, metric: name, text }];
  });
}

function valuesOf(name: string, runs: readonly { readonly mark: RunMark }[]): number[] {
  return runs.flatMap(({ mark }) => mark.metrics[name]?.value ?? []);
}

function driftText(
  name: string,
  { unit, worse, limit }: MetricValue,
  latest: readonly number[],
  earlier: readonly number[],
): string | undefined {
  const usual = usualOf(earlier);
  const now = usualOf(latest);
  if (!usual || !now) return undefined;
  const sign = worse === 'higher' ? 1 : -1;
  const nearest = Math.min(...latest.map((value) => sign * (value - usual.median)));
  // What never varied (0 % of loss) has no deviation; then the share alone decides.
  if (nearest <= 0 || nearest < deviationsMin * usual.deviation) return undefined;
  const room = limit === undefined ? Math.abs(usual.median) : Math.abs(limit - usual.median);
  if (room === 0 || nearest < shareMin * room) return undefined;
  const words = (value: number) => quantity(value, unit, limit);
  const from = `${words(usual.median)} ± ${words(usual.deviation)} (median and deviation of ${plural(earlier.length, 'good run')})`;
  const towards = limit === undefined ? '' : `, its limit is ${quantity(limit, unit)}`;
  return `${capital(name)} drifts: ${words(now.median)} in the middle of the last ${latest.length} runs, usual is ${from}${towards}.`;
}
