import { isCounter } from '../series/counters.js';
import type { PointValues } from '../series/series.js';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Prometheus' text format: the values of one name together, under a line with their type. Without times: what is shown
 * is what is known now.
 */
export function exposition(points: readonly PointValues[]): string {
  const byName = new Map<string, string[]>();
  for (const { labels, values } of points) {
    const written = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
    for (const { name, value } of values) {
      const lines = byName.get(name) ?? [];
      lines.push(`${name}{${written.join(',')}} ${value}\n`);
      byName.set(name, lines);
    }
  }
  const names = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return names
    .map(([name, lines]) => `# TYPE ${name} ${isCounter(name) ? 'counter' : 'gauge'}\n${lines.join('')}`)
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
