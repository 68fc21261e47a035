import { readLabels, readName, type Series } from './metrics-page.js';

/** A metric that was asked for by name, and by what labels its series must have. */
export interface MetricSelector {
  /** As it was written. */
  readonly text: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads `name`, `name{label="value",other="value"}` or `{"a name",label="value"}`; undefined for what is none. */
export function readMetricSelector(text: string): MetricSelector | undefined {
  const named = readName(text.trim());
  if (named === undefined) return undefined;
  const { name, rest } = named;
  if (rest === '') return { text, name, labels: {} };
  const read = rest.startsWith('{') ? readLabels(rest, 1) : undefined;
  return read && read.end === rest.length ? { text, name, labels: read.labels } : undefined;
}

export function hasLabels({ labels }: Series, asked: Readonly<Record<string, string>>): boolean {
  return Object.entries(asked).every(([label, value]) => labels[label] === value);
}
