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
  /** Names of which the page says that they are something else. */
  readonly noCounters: ReadonlySet<string>;
}

const linesMax = 500_000;
const labelsMax = 100;
const namePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?=[\s{]|$)/;
/** A name of any letters stands first between the braces (Prometheus 3, OpenMetrics 2). */
const quotedNamePattern = /^\{\s*"((?:[^"\\]|\\.)*)"\s*([,}])/;
const labelPattern = /\s*(?:([a-zA-Z_][a-zA-Z0-9_]*)|"((?:[^"\\]|\\.)*)")\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,?)/y;
const typePattern = /^#\s*TYPE\s+("(?:[^"\\]|\\.)*"|\S+)\s+(\S+)\s*$/;
/** The end of a page of OpenMetrics, which has times in seconds. */
const openMetricsPattern = /^# EOF\s*$/m;

/**
 * Reads the text format of Prometheus (exposition formats, version 0.0.4) and OpenMetrics, lines of
 * `name{label="value",…} number [time] [# exemplar]`. Only wanted names are read to their end, for a page may have a
 * hundred thousand series of others, and whatever those look like. Throws a plain Error with the line where a wanted
 * series cannot be read, or nothing can: half a page would be a lower sum, and pass for a number.
 */
export function readMetricsPage(text: string, wanted: (name: string) => boolean): MetricsPage {
  const names = new Set<string>();
  const counters = new Set<string>();
  const noCounters = new Set<string>();
  const series = new Map<string, Series>();
  const lines = text.split('\n');
  if (lines.length > linesMax) throw new Error(`it has more than ${linesMax} lines`);
  const isOpenMetrics = openMetricsPattern.test(text);
  let strange: Error | undefined;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, name, type] = typePattern.exec(line) ?? [];
      // OpenMetrics names the family there, and adds this to the name of its series.
      if (name !== undefined && type === 'counter') counters.add(`${unquoted(name)}${isOpenMetrics ? '_total' : ''}`);
      else if (name !== undefined) noCounters.add(unquoted(name));
      continue;
    }
    const named = readName(line);
    if (named === undefined) {
      strange ??= unreadable(index, line);
      continue;
    }
    names.add(named.name);
    if (!wanted(named.name)) continue;
    const one = readSeries(named, isOpenMetrics ? 1000 : 1);
    if (!one) throw unreadable(index, line);
    series.set(seriesKey(one), one);
  }
  if (names.size === 0) throw strange ?? new Error('it holds no metric');
  return { series: [...series.values()], names, counters, noCounters };
}

/** What tells series apart, whatever the order of labels. */
export function seriesKey({ name, labels }: Pick<Series, 'name' | 'labels'>): string {
  return JSON.stringify([name, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

interface Named {
  readonly name: string;
  /** What follows it, labels first. */
  readonly rest: string;
}

/** The name that a text begins with; undefined of a text without one. */
export function readName(text: string): Named | undefined {
  const [whole, quoted, next] = quotedNamePattern.exec(text) ?? [];
  if (whole !== undefined && quoted !== undefined) {
    return { name: unescaped(quoted), rest: `{${text.slice(whole.length - (next === '}' ? 1 : 0))}` };
  }
  const name = namePattern.exec(text)?.[1];
  return name === undefined ? undefined : { name, rest: text.slice(name.length).trimStart() };
}

const unquoted = (name: string): string => (name.startsWith('"') ? unescaped(name.slice(1, -1)) : name);

/** Undefined for what is no series. */
function readSeries({ name, rest }: Named, timeUnitMs: number): Series | undefined {
  const labelled = rest.startsWith('{') ? readLabels(rest, 1) : { labels: {}, end: 0 };
  if (!labelled) return undefined;
  const [, value = '', time] = /^\s*(\S+)(?:\s+([^\s#]\S*))?\s*(?:\s#\s*\{.*)?$/.exec(rest.slice(labelled.end)) ?? [];
  const number = numberOf(value);
  if (number === undefined || (time !== undefined && !/^-?\d+(\.\d+)?(e\+?\d+)?$/i.test(time))) return undefined;
  const { labels } = labelled;
  // Milliseconds are whole ones.
  const unitMs = time?.includes('.') ? 1000 : timeUnitMs;
  return { name, labels, value: number, ...(time === undefined ? {} : { atMs: Number(time) * unitMs }) };
}

/** Reads up to and with the closing brace. */
export function readLabels(text: string, from: number) {
  const labels: [string, string][] = [];
  let at = from;
  while (text[at] === ' ') at += 1;
  while (text[at] !== '}') {
    labelPattern.lastIndex = at;
    const [whole, plain, quoted, value, comma] = labelPattern.exec(text) ?? [];
    const label = plain ?? (quoted === undefined ? undefined : unescaped(quoted));
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
