import { z } from 'zod';
import { given } from '../../model/given.js';
import type { SearchOptions } from '../../model/plan.js';
import type { Flags, ValuesOf } from './flag.js';
import { usageError, wrongValue } from './usage-error.js';
import { largestSize, percentIn, readCount } from './values.js';
import { budget, count, duration, shareInPlans, type Written, word } from './written.js';

const size = z.number().int().min(1).max(largestSize);

const within: Written<number | `${number}%`> = {
  inPlans: { mustBe: 'must be a number of sizes, or 5%', shape: z.union([size, shareInPlans]) },
  read: readWithin,
};

const confidence: Written<number> = {
  inPlans: { mustBe: 'must be a share such as 90% or 0.9', shape: shareInPlans },
  read: readConfidence,
};

const sizes: Written<readonly number[]> = {
  inPlans: { mustBe: 'must be a list of sizes: [4, 8, 12]', shape: z.array(size).min(1) },
  read: (text, flag) => text.split(',').map((size) => readCount(size, flag)),
};

export const searchFlags = {
  from: {
    about: 'first size after the baseline (default: twice the baseline)',
    value: count(),
    with: '--strategy bisect or ramp',
    because: 'fixed tries the --sizes alone',
  },
  max: { about: 'no larger size is tried', value: count(), usual: '512', everyday: true },
  confirm: { about: 'how often the limit must pass, at least', value: count({ to: 100 }), usual: '3' },
  within: {
    takes: 'n|%',
    about: 'how close the answer must be: so many sizes, or a share such as 5% (default: 5%)',
    value: within,
  },
  strategy: {
    takes: 'how',
    about: 'bisect, ramp (up in small steps, never over), or fixed (the --sizes)',
    value: word(['bisect', 'ramp', 'fixed']),
    usual: 'bisect',
  },
  holdAtLimit: {
    about: 'the size that it ends at is held once for so long: 10m',
    value: duration,
    with: '--strategy ramp',
    because: 'the other strategies go over the limit, and end at no size',
  },
  sizes: { takes: 'list', about: 'what it tries: 4,8,12', value: sizes, with: '--strategy fixed' },
  confidence: {
    takes: 'share',
    about: 'repeat the limit until it shows, as surely as this, that it passes 4 of 5 times: 0.9',
    value: confidence,
    with: '--strategy bisect',
    because: 'the other strategies try each size as often as --confirm says',
  },
  foresight: { about: 'choose sizes by doubling and halving alone, whatever earlier trials took', negates: true },
  screening: { about: 'measure trials that only steer the search to their end, too', negates: true },
  budget: {
    about: 'end within this time of trials, with the best interval reached: 45m',
    value: budget,
    onResume: 'may',
  },
} as const satisfies Flags;

/** Throws E_USAGE. */
export function searchOf(asked: ValuesOf<typeof searchFlags>): Partial<SearchOptions> {
  const { max, confirm, strategy, sizes, from, within, confidence } = asked;
  if (strategy === 'fixed' && sizes === undefined) {
    const todo = { write: { '--strategy': 'fixed', '--sizes': '2,3,4' } };
    throw usageError('--strategy fixed needs --sizes.', ['--strategy', '--sizes'], todo);
  }
  if (sizes && strategy === 'fixed') assertUpTo(max, Math.max(...sizes), '--sizes');
  if (from !== undefined) assertUpTo(max, from, '--from');
  return given({
    max,
    confirm,
    strategy: strategy === 'bisect' ? undefined : strategy,
    sizes: sizes && [...sizes],
    from,
    within,
    confidence,
    budgetMs: asked.budget,
    holdMs: asked.holdAtLimit,
    foresight: asked.foresight === false ? false : undefined,
    screening: asked.screening === false ? false : undefined,
  });
}

function assertUpTo(max: number, size: number, flag: string): void {
  if (size <= max) return;
  const todo = [{ give: { [flag]: max } }, { give: { '--max': size }, note: 'or more' }];
  throw usageError(`${flag} ${size} is above --max ${max}.`, [flag, '--max'], todo, 'nothing above --max is tried');
}

function readWithin(text: string, flag: string): number | `${number}%` {
  const percent = percentIn(text) ?? Number.NaN;
  if (Number.isNaN(percent) && !text.includes('%')) return readCount(text, flag);
  if (percent > 0 && percent < 100) return `${percent}%`;
  throw wrongValue(flag, text, 'must be a number of sizes or a share below 100%', '2', '5%');
}

function readConfidence(text: string, flag: string): number {
  const value = Number(((percentIn(text) ?? Number.NaN) / 100).toPrecision(12));
  if (value > 0 && value <= 0.999) return value;
  throw wrongValue(flag, text, 'must be a share up to 0.999', '0.9', '90%');
}
