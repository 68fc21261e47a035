import type { DataPoint } from '../store/points/data-point.js';
import { valuesOf } from '../store/series/series.js';
import { SeriesPoints } from '../store/series/series-points.js';
import { keptPoints } from './kept-points.js';

/** Every value that a receiver of these points must have got, as lines in a settled order. */
export async function expectedValues(points: readonly DataPoint[]): Promise<readonly string[]> {
  const kept = keptPoints(new SeriesPoints({ perProbe: false }));
  kept.add(points);
  await kept.close();
  const lines = kept.points.flatMap((point) => {
    const { labels, atMs, values } = valuesOf(point) ?? { labels: {}, atMs: 0, values: [] };
    return values.map(({ name, value }) => lineOf(name, labels, `${atMs}000000`, value));
  });
  return lines.sort();
}

/** One value of one series at one time, in nanoseconds. */
export function lineOf(name: string, attributes: Readonly<Record<string, string>>, ns: string, value: number): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name} ${JSON.stringify(sorted)} ${ns} ${value}`;
}
