import { LoadlineError } from './errors.js';
import { listedWith } from './listed.js';
import type { Remedy } from './remedy.js';

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** How a duration is written, for whoever reads one and for editors. */
export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** How a remedy writes a duration, so that it is one that will be taken. */
interface DurationExample {
  /** Behind a number that was written without one. */
  readonly unit: 'ms' | 's' | 'm' | 'h';
  /** Some that would do. */
  readonly such: readonly string[];
  /** What is below or above is not taken, and so no remedy. */
  readonly leastMs?: number;
  readonly mostMs?: number;
}

export const anyDuration: DurationExample = { unit: 's', such: ['500ms', '40s', '5m', '1h'] };

/** Reads `40s`, `1.5m`, `500ms`, `2h`. Returns milliseconds. Throws E_DURATION naming `where`. */
export function parseDuration(text: string, where: string, example = anyDuration): number {
  const milliseconds = durationIn(text);
  if (milliseconds !== undefined) return milliseconds;
  const { unit, such, leastMs = 0, mostMs = Number.POSITIVE_INFINITY } = example;
  const bare = /^\d{2,4}$/.test(text.trim()) ? `${text.trim()}${unit}` : undefined;
  const meant = [bare, spelt(text, durationWords)].find((one) => {
    const ms = durationIn(one ?? '') ?? Number.NaN;
    return ms >= leastMs && ms <= mostMs;
  });
  throw new LoadlineError('E_DURATION', `${where} must be a duration ${lacking(text)}, not "${text}".`, {
    where,
    todo: writing(where, meant ? [meant] : [], such),
  });
}

const durationIn = (text: string) => amountIn(text, durationPattern, durationUnits);

/** How units are written elsewhere, and what each is here. */
type SpeltUnits = readonly (readonly [spelling: RegExp, unit: string, factor?: number])[];

const durationWords: SpeltUnits = [
  [/^(ms|msecs?|milliseconds?)$/i, 'ms'],
  [/^(s|secs?|seconds?)$/i, 's'],
  [/^(m|mins?|minutes?)$/i, 'm'],
  [/^(h|hrs?|hours?)$/i, 'h'],
  [/^(d|days?)$/i, 'h', 24],
];

/** Of bits alone: a B is a byte to some and a bit to others. */
const rateWords: SpeltUnits = (['k', 'm', 'g'] as const).map((scale) => [
  new RegExp(`^[${scale}${scale.toUpperCase()}](b|[Bb]its?)?(/s|ps)?$`),
  `${scale}bit`,
]);

/** "90s" of "90 sec"; undefined for what is no number above zero with a unit that is known elsewhere. */
function spelt(text: string, words: SpeltUnits): string | undefined {
  const [, number = '', word = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z/]+)$/i.exec(text.trim()) ?? [];
  const [, unit, factor = 1] = words.find(([spelling]) => spelling.test(word)) ?? [];
  const amount = Number(number.replace(',', '.')) * factor;
  return unit !== undefined && amount > 0 ? `${amount}${unit}` : undefined;
}

const lacking = (text: string): string => (Number.parseFloat(text) <= 0 ? 'above zero' : 'with its unit');

/** Undefined for what is no number above zero with one of the units behind it. */
function amountIn(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = pattern.exec(text.trim()) ?? [];
  const amount = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}

export const rateUnits: Readonly<Record<string, number>> = { bit: 1, kbit: 1000, mbit: 1_000_000, gbit: 1_000_000_000 };

export const ratePattern = /^(\d+(?:\.\d+)?)(bit|kbit|mbit|gbit)$/i;

/** Reads `3mbit`, `750kbit`, `1.5mbit` (decimal units, as `tc(8)` does). Returns bits per second. Throws E_RATE. */
export function parseRate(text: string, where: string, such = ['750kbit', '3mbit', '1gbit']): number {
  const bitsPerSecond = amountIn(text, ratePattern, rateUnits);
  if (bitsPerSecond !== undefined) return bitsPerSecond;
  const bare = /^\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) > 0;
  const meant = bare ? inEither(text.trim(), such) : [spelt(text, rateWords)].flatMap((one) => one ?? []);
  throw new LoadlineError('E_RATE', `${where} must be a rate ${lacking(text)}, not "${text}".`, {
    where,
    todo: writing(where, meant, such),
  });
}

/** The likelier unit first: of small numbers the larger of the first two that would do. */
const inEither = (bare: string, such: readonly string[]): readonly string[] => {
  const each = [such[1], such[0]].map((one = '') => bare + one.replace(/^\d+/, ''));
  return Number(bare) < 100 ? each : each.toReversed();
};

/** Behind its flag, where one was read: what was meant, or what would do. */
function writing(where: string, meant: readonly string[], such: readonly string[]): Remedy {
  const isMeant = meant.length > 0;
  const values = isMeant ? meant : such;
  if (!/^--[a-z-]+$/.test(where)) return `write ${listedWith('or', values)}`;
  return values.map((value) => (isMeant ? { give: { [where]: value } } : { write: { [where]: value } }));
}

/** `tc(8)` units: decimal. */
export function rateText(bitsPerSecond: number): string {
  if (bitsPerSecond < 1000) return `${bitsPerSecond} bit/s`;
  const [scale, unit] = bitsPerSecond < 1_000_000 ? [1000, 'kbit/s'] : [1_000_000, 'Mbit/s'];
  return `${Number((bitsPerSecond / scale).toFixed(2))} ${unit}`;
}
