import { z } from 'zod';
import { listedWith } from '../../model/listed.js';
import { durationPattern, parseDuration } from '../../model/units.js';
import {
  largestSize,
  pacePattern,
  readBudget,
  readCount,
  readDuration,
  readPace,
  readShare,
  readWindow,
  readWord,
  sharePattern,
} from './values.js';

/** How the value of a flag is written: one declaration for the command line, for plan files, and for editors. */
export interface Written<Value> {
  /** What stands behind the flag, for help, where the flag does not say it: "time". */
  readonly takes?: string;
  /** What it is in a plan file; absent: any word or number. */
  readonly inPlans?: {
    /** In a sentence: "must be a whole number from 1 to 64". */
    readonly mustBe: string;
    /** Its type in YAML and JSON, as far as editors can check it. `read` alone knows its meaning. */
    readonly shape: z.ZodType;
  };
  /** Throws a LoadlineError naming the flag. */
  readonly read: (text: string, flag: string) => Value;
}

export function count({ from = 1, to = largestSize, least = 0 } = {}): Written<number> {
  return {
    takes: 'n',
    inPlans: { mustBe: `must be a whole number from ${from} to ${to}`, shape: z.number().int().min(from).max(to) },
    read: (text, flag) => readCount(text, flag, { from, to, least }),
  };
}

const time = {
  takes: 'time',
  inPlans: {
    mustBe: 'must be a duration with its unit: 500ms, 40s, 5m or 1h',
    shape: z.string().regex(durationPattern),
  },
};
export const duration: Written<number> = { ...time, read: (text, flag) => readDuration(text, flag) };
/** A while that has passed, of days as well. */
export const hours: Written<number> = {
  ...time,
  read: (text, flag) => parseDuration(text, flag, { unit: 'h', such: ['6h', '24h', '168h'] }),
};
export const budget: Written<number> = { ...time, read: readBudget };
export const window: Written<number> = { ...time, read: readWindow };

export const pace: Written<number | 'auto'> = {
  takes: 'n/s',
  inPlans: {
    mustBe: 'must be participants per second: 2/s, or auto',
    shape: z.union([z.number().positive().max(1000), z.string().regex(pacePattern), z.literal('auto')]),
  },
  read: (text, flag) => (text.trim() === 'auto' ? 'auto' : readPace(text, flag)),
};

/** YAML reads 0.1 as a number, and 10% as a word. */
export const shareInPlans = z.union([z.string().regex(sharePattern), z.number().gt(0).lt(1)]);

export const share: Written<number> = {
  takes: 'share',
  inPlans: { mustBe: 'must be a share: 10% or 0.1', shape: shareInPlans },
  read: readShare,
};

export function word<const Words extends readonly [string, ...string[]]>(words: Words): Written<Words[number]> {
  return {
    inPlans: { mustBe: `must be ${listedWith('or', words)}`, shape: z.enum(words) },
    read: (text, flag) => readWord<Words[number]>(text, flag, words),
  };
}

/** What the commands that print a document take. */
export const format = word(['text', 'json']);
