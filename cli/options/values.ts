import { nearestWord } from '../../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../../model/errors.js';
import { anyDuration, parseDuration } from '../../model/units.js';
import { suchAs, wrongValue } from './usage-error.js';

/** Far above anything one run can carry; keeps a slip of the finger from filling the memory. */
export const largestSize = 100_000;
/** Timers of Node hold 24.8 days; nobody waits longer than this for one trial. */
const longestMs = 24 * 3_600_000;
export const pacePattern = /^(\d+(?:\.\d+)?)(?:\/s)?$/;
/** `10%`, or `0.1` without the sign; a 1 alone could be either, so it is neither. */
export const sharePattern = /^(?:(\d{1,3}(?:\.\d+)?)\s*%|(0?\.\d{1,9}))$/;

/** Reads a whole number from `from` to `to`; who wrote less is told `least`. Throws E_USAGE naming the flag. */
export function readCount(
  text: string,
  flag: string,
  { from = 1, to = largestSize, example = 4, least = 0 } = {},
): number {
  const value = /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  // The bound that was passed says more than any number would.
  const meant = value > to ? to : value < from ? Math.max(from, least) : Math.max(from, Math.min(to, example));
  throw wrongValue(flag, text, `must be a whole number from ${from} to ${to}`, `${meant}`);
}

export function readPort(text: string, flag: string): number {
  const [to, example] = [65_535, 8888];
  if (/^\d{1,5}$/.test(text.trim()) && Number(text) <= to) return Number(text);
  throw new LoadlineError('E_USAGE', `${flag} must be the number of a port, not "${text}".`, {
    where: flag,
    why: `ports have numbers up to ${to}; 0 lets the system choose a free one`,
    todo: suchAs(flag, `${example}`),
  });
}

/** Milliseconds, at most a day. Throws E_DURATION naming the flag. */
export function readDuration(text: string, flag: string, example = anyDuration): number {
  const milliseconds = parseDuration(text, flag, { mostMs: longestMs, ...example });
  if (milliseconds <= longestMs) return milliseconds;
  throw new LoadlineError('E_DURATION', `${flag} must be at most 24h, not "${text}".`, {
    where: flag,
    todo: suchAs(flag, example.unit === 'm' ? '45m' : '60s'),
  });
}

/** Of a whole search, which takes minutes at least. Throws E_DURATION naming the flag. */
export function readBudget(text: string, flag: string): number {
  return readDuration(text, flag, { unit: 'm', such: ['45m', '2h'] });
}

/**
 * The shortest window in which everything that is judged is sure to be seen. A receiver report, which alone tells of
 * loss on the way up, may be 7.5 s after the one before (RFC 3550, 6.2: 5 s, and half as much by chance), and a second
 * at either edge of a window may be given up.
 */
const shortestWindowMs = 10_000;

/** The length of a measured window. Throws E_DURATION naming the flag. */
export function readWindow(text: string, flag: string): number {
  const milliseconds = readDuration(text, flag, { unit: 's', such: ['40s', '5m', '1h'], leastMs: shortestWindowMs });
  if (milliseconds >= shortestWindowMs) return milliseconds;
  throw new LoadlineError('E_DURATION', `${flag} must be at least ${shortestWindowMs / 1000}s, not "${text}".`, {
    where: flag,
    why: 'the reports that tell of loss on the way to the server may be 7.5 s apart: a shorter window can miss them',
    todo: suchAs(flag, '60s'),
  });
}

/** Reads participants per second: `2/s`, `0.5/s` or just `2`. Throws E_USAGE naming the flag. */
export function readPace(text: string, flag: string): number {
  const value = Number(pacePattern.exec(text.trim())?.[1] ?? Number.NaN);
  if (value > 0 && value <= 1000) return value;
  throw wrongValue(flag, text, 'must be participants per second, up to 1000/s', '2/s');
}

/** What `10%` and `0.1` both are, in percent; undefined for anything else. */
export function percentIn(text: string): number | undefined {
  const [, percent, share] = sharePattern.exec(text.trim()) ?? [];
  if (percent !== undefined) return Number(percent);
  // 100 × 0.07 is not 7 in binary.
  return share === undefined ? undefined : Number((100 * Number(share)).toPrecision(12));
}

/** Reads a share above 0 and up to 100 %: `10%` or `0.1`. Returns 0 to 1. Throws E_USAGE naming the flag. */
export function readShare(text: string, flag: string): number {
  const percent = percentIn(text) ?? Number.NaN;
  if (percent > 0 && percent <= 100) return percent / 100;
  const meant = /^\d{1,2}$/.test(text) && Number(text) > 0 ? [`${text}%`] : ['50%', '0.5'];
  throw wrongValue(flag, text, 'must be a share above 0% and up to 100%', ...meant);
}

/** H264 is no slip of H265. */
const sameDigits = (text: string) => (word: string) => word.replace(/\D/g, '') === text.replace(/\D/g, '');

/** One of the words. Throws E_USAGE naming the flag and the words. */
export function readWord<Word extends string>(text: string, flag: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw wrongValue(
    flag,
    text,
    `must be ${words.join(' or ')}`,
    nearestWord(text, words.filter(sameDigits(text))) ?? `${words[0]}`,
  );
}
