import { basename } from 'node:path';
import { exportRun } from '../store/points/export-run.js';
import type { StoredRun } from '../store/run-directory/read-run.js';
import { valuesOf } from '../store/series/series.js';
import { SeriesPoints } from '../store/series/series-points.js';
import { keptPoints } from './kept-points.js';
import type { PrometheusServer } from './prometheus-server.js';

/** What the stored run says, a line for each value of each series, in an order that is always the same. */
export async function storedValues(stored: StoredRun, perProbe: boolean): Promise<readonly string[]> {
  const kept = keptPoints(new SeriesPoints({ perProbe }));
  await exportRun(stored, basename(stored.directory), kept);
  await kept.close();
  const lines = kept.points.flatMap((point) => {
    const { labels, atMs, values } = valuesOf(point) ?? { labels: {}, atMs: 0, values: [] };
    return values.map(({ name, value }) => lineOf({ ...labels, __name__: name }, atMs, value));
  });
  return lines.sort();
}

/** The same of what a Prometheus has of the run. */
export async function valuesIn(server: PrometheusServer, stored: StoredRun): Promise<readonly string[]> {
  const { atMs, run: name } = endOf(stored);
  const series = await server.values(`{run="${name}"}`, atMs);
  return series
    .flatMap(({ metric, values }) => values.map(([at, value]) => lineOf(metric, Math.round(at * 1000), Number(value))))
    .sort();
}

function lineOf(labels: Readonly<Record<string, string>>, atMs: number, value: number): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(sorted)} ${atMs} ${value}`;
}

/** When all of it had come, and what it is called there. */
export function endOf(stored: StoredRun) {
  return { atMs: (stored.records.at(-1)?.endedAtMs ?? 0) + 60_000, run: basename(stored.directory) };
}
