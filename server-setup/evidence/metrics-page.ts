/** One series of a page of metrics, with the time that the page itself gives it, if it does. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly atMs?: number;
}

export interface MetricsPage {
  /** Of the wanted names alone. A series that stands there twice counts once, as it stands last. */
  readonly series: readonly Series[];
  /** Every name on it. */
  readonly names: ReadonlySet<string>;
  /** Names that the page says are counters. */
  readonly counters: ReadonlySet<string>;
}

const linesMax = 500_000;
const labelsMax = 100;
const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const labelPattern = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,?)/y;
const typePattern = /^#\s*TYPE\s+(\S+)\s+(\S+)\s*$/;

/**
 * Reads the text format of Prometheus (exposition formats, version 0.0.4):
 * `name{label="value",…} number [milliseconds]`. Only wanted names are read to their end, because a page may have a
 * hundred thousand series of others. Throws a plain Error with the line for what is no such page: half of one would be
 * a lower sum, and pass for a number.
 */
export function readMetricsPage(text: string, wanted: (name: string) => boolean): MetricsPage {
  const names = new Set<string>();
  const counters = new Set<string>();
  const series = new Map<string, Series>();
  const lines = text.split('\n');
  if (lines.length > linesMax) throw new Error(`it has more than ${linesMax} lines`);
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, name, type] = typePattern.exec(line) ?? [];
      if (name !== undefined && type === 'counter') counters.add(name);
      continue;
    }
    const name = namePattern.exec(line)?.[0];
    if (name === undefined) throw unreadable(index, line);
    names.add(name);
    if (!wanted(name)) continue;
    const one = readSeries(name, line.slice(name.length).trimStart());
    if (!one) throw unreadable(index, line);
    series.set(seriesKey(one), one);
  }
  if (names.size === 0) throw new Error('it holds no metric');
  return { series: [...series.values()], names, counters };
}

/** What tells series apart, whatever the order of labels. */
export function seriesKey({ name, labels }: Pick<Series, 'name' | 'labels'>): string {
  return JSON.stringify([name, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** What follows the name of a series; undefined for what is none. */
function readSeries(name: string, text: string): Series | undefined {
  const labelled = text.startsWith('{') ? readLabels(text, 1) : { labels: {}, end: 0 };
  if (!labelled) return undefined;
  const [value, time, ...more] = text.slice(labelled.end).trim().split(/\s+/);
  if (value === undefined || value === '' || more.length > 0) return undefined;
  const number = numberOf(value);
  if (number === undefined || (time !== undefined && !/^-?\d+$/.test(time))) return undefined;
  return { name, labels: labelled.labels, value: number, ...(time === undefined ? {} : { atMs: Number(time) }) };
}

/** Reads up to and with the closing brace. */
export function readLabels(text: string, from: number) {
  const labels: [string, string][] = [];
  let at = from;
  while (text[at] === ' ') at += 1;
  while (text[at] !== '}') {
    labelPattern.lastIndex = at;
    const [whole, label, value, comma] = labelPattern.exec(text) ?? [];
    if (whole === undefined || label === undefined || value === undefined || labels.length >= labelsMax) {
      return undefined;
    }
    labels.push([label, unescaped(value)]);
    at += whole.length;
    if (comma === '' && text[at] !== '}') return undefined;
    while (text[at] === ' ') at += 1;
  }
  return { labels: Object.fromEntries(labels), end: at + 1 };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

/** As Go writes numbers. NaN, which stands for nothing measured, is a number of the format, and no value. */
function numberOf(text: string): number | undefined {
  if (/^[+-]?Inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^NaN$/i.test(text)) return Number.NaN;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function unreadable(index: number, line: string): Error {
  return new Error(`line ${index + 1} is no metric: ${line.slice(0, 60)}`);
}
