import { z } from 'zod';
import { durationPattern } from '../../model/units.js';
import {
  largestSize,
  pacePattern,
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
  /** In a sentence: "must be a whole number from 1 to 64". */
  readonly mustBe: string;
  /** Of which types of YAML and JSON it is, and as far as editors can check it. What it means is for `read` alone to say. */
  readonly inPlans: z.ZodType;
  /** Throws a LoadlineError naming the flag. */
  readonly read: (text: string, flag: string) => Value;
}

/** The values of some flags, by the names that the flags have in a plan file. */
export type WrittenFlags = Readonly<Record<string, Written<unknown>>>;

export function count({ from = 1, to = largestSize } = {}): Written<number> {
  return {
    mustBe: `must be a whole number from ${from} to ${to}`,
    inPlans: z.number().int().min(from).max(to),
    read: (text, flag) => readCount(text, flag, { from, to }),
  };
}

const time = {
  mustBe: 'must be a duration with its unit: 500ms, 40s, 5m or 1h',
  inPlans: z.string().regex(durationPattern),
};
export const duration: Written<number> = { ...time, read: readDuration };
export const window: Written<number> = { ...time, read: readWindow };

export const pace: Written<number | 'auto'> = {
  mustBe: 'must be participants per second: 2/s, or auto',
  inPlans: z.union([z.number().positive().max(1000), z.string().regex(pacePattern), z.literal('auto')]),
  read: (text, flag) => (text.trim() === 'auto' ? 'auto' : readPace(text, flag)),
};

/** YAML reads 0.1 as a number, and 10% as a word. */
export const shareInPlans = z.union([z.string().regex(sharePattern), z.number().gt(0).lt(1)]);

export const share: Written<number> = {
  mustBe: 'must be a share: 10% or 0.1',
  inPlans: shareInPlans,
  read: readShare,
};

export function word<const Words extends readonly [string, ...string[]]>(
  words: Words,
  mustBe?: string,
): Written<Words[number]> {
  return {
    mustBe: mustBe ?? `must be one of ${words.join(', ')}`,
    inPlans: z.enum(words),
    read: (text, flag) => readWord<Words[number]>(text, flag, words),
  };
}
