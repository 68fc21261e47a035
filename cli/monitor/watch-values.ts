import { levels, type MonitorEntry, type RunEntry } from '../../model/monitor.js';
import type { PointValues } from '../../store/series/series.js';

const verdicts = ['stable', 'unstable', 'void', 'failed'] as const;

/** What a monitor's journal says of each watch now, as series: its level, its runs so far, and its last run. */
export function watchValues(entries: readonly MonitorEntry[]): readonly PointValues[] {
  const runs = entries.filter((entry): entry is RunEntry => entry.type === 'run');
  const byWatch = new Map<string, RunEntry[]>();
  for (const run of runs) byWatch.set(run.watch, [...(byWatch.get(run.watch) ?? []), run]);
  return [...byWatch].flatMap(([watch, own]) => [...countsOf(watch, own), ...lastOf(watch, own)]);
}

function countsOf(watch: string, runs: readonly RunEntry[]): readonly PointValues[] {
  const atMs = runs.at(-1)?.endedAtMs ?? 0;
  return verdicts.map((verdict) => ({
    labels: { watch, verdict },
    atMs,
    values: [{ name: 'loadline_watch_runs', value: runs.filter(({ mark }) => mark.verdict === verdict).length }],
  }));
}

/** What a run did not say is no value: a failed one has an end and a level, and nothing else. */
function lastOf(watch: string, runs: readonly RunEntry[]): readonly PointValues[] {
  const last = runs.at(-1);
  if (!last) return [];
  const { mark, endedAtMs: atMs, startedAtMs, level } = last;
  const one = (name: string, value: number | null | undefined) =>
    value === undefined || value === null ? [] : [{ name: `loadline_watch_${name}`, value }];
  const own = [
    ...one('level', levels.indexOf(level)),
    ...one('run_ended_at_ms', atMs),
    ...one('run_took_ms', atMs - startedAtMs),
    ...one('size', mark.size),
    ...one('limit_stable', mark.limit?.stable),
    ...one('limit_unstable', mark.limit?.unstable),
    ...one('server_memory_mb', mark.serverMemoryMb),
  ];
  const compared = Object.entries(mark.metrics).map(([metric, { value, unit }]) => ({
    labels: { watch, metric, unit },
    atMs,
    values: one('metric', value),
  }));
  return [{ labels: { watch }, atMs, values: own }, ...compared];
}
