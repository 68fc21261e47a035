import { LoadlineError } from './errors.js';

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** How a duration is written, for whoever reads one and for editors. */
export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** How a remedy writes a duration, so that it is one that will be taken. */
export interface DurationExample {
  /** Behind a number that was written without one. */
  readonly unit: 's' | 'm';
  /** "40s, 5m or 1h". */
  readonly such: string;
}

const anyDuration: DurationExample = { unit: 's', such: '500ms, 40s, 5m or 1h' };

/** Reads `40s`, `1.5m`, `500ms`, `2h`. Returns milliseconds. Throws E_DURATION naming `where`. */
export function parseDuration(text: string, where: string, { unit, such } = anyDuration): number {
  const milliseconds = amountIn(text, durationPattern, durationUnits);
  if (milliseconds !== undefined) return milliseconds;
  const bare = /^\d{2,4}$/.test(text.trim()) && Number(text) > 0 ? text.trim() : undefined;
  const what = Number.parseFloat(text) <= 0 ? 'must be a duration above zero' : 'must be a duration with its unit';
  throw new LoadlineError('E_DURATION', `${where} ${what}, not "${text}".`, {
    where,
    todo: bare === undefined ? `write a number and its unit without a space: ${such}` : `write ${bare}${unit}`,
  });
}

/** Undefined for what is no number above zero with one of the units behind it. */
function amountIn(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = pattern.exec(text.trim()) ?? [];
  const amount = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}

export const rateUnits: Readonly<Record<string, number>> = { bit: 1, kbit: 1000, mbit: 1_000_000, gbit: 1_000_000_000 };

export const ratePattern = /^(\d+(?:\.\d+)?)(bit|kbit|mbit|gbit)$/i;

/** Reads `3mbit`, `750kbit`, `1.5mbit` (decimal units, as `tc(8)` does). Returns bits per second. Throws E_RATE. */
export function parseRate(text: string, where: string): number {
  const bitsPerSecond = amountIn(text, ratePattern, rateUnits);
  if (bitsPerSecond !== undefined) return bitsPerSecond;
  const bare = /^\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) > 0 ? text.trim() : undefined;
  const what = bare === undefined ? 'must be a rate above zero' : 'must be a rate with its unit';
  throw new LoadlineError('E_RATE', `${where} ${what}, not "${text}".`, {
    where,
    todo:
      bare === undefined
        ? 'write a number and its unit without a space: 750kbit, 3mbit or 1gbit'
        : `write ${bare}kbit or ${bare}mbit`,
  });
}

/** `tc(8)` units: decimal. */
export function rateText(bitsPerSecond: number): string {
  if (bitsPerSecond < 1000) return `${bitsPerSecond} bit/s`;
  const [scale, unit] = bitsPerSecond < 1_000_000 ? [1000, 'kbit/s'] : [1_000_000, 'Mbit/s'];
  return `${Number((bitsPerSecond / scale).toFixed(2))} ${unit}`;
}
