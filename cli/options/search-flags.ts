import type { Command } from 'commander';
import { z } from 'zod';
import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import type { SearchOptions } from '../../model/plan.js';
import { readTogether } from './together.js';
import { percentIn, readCount } from './values.js';
import { count, duration, shareInPlans, type Written, type WrittenFlags, word } from './written.js';

/** The flags of a search, as words. */
export interface SearchFlags {
  readonly from?: string;
  readonly max: string;
  readonly confirm: string;
  readonly within?: string;
  readonly strategy: string;
  readonly holdAtLimit?: string;
  readonly sizes?: string;
  readonly confidence?: string;
  readonly budget?: string;
  readonly foresight?: boolean;
  readonly screening?: boolean;
}

export function addSearchFlags(command: Command): Command {
  return command
    .option('--from <n>', 'first size after the baseline (default: twice the baseline)')
    .option('--max <n>', 'no larger size is tried', '512')
    .option('--confirm <n>', 'how often the limit must pass, at least', '3')
    .option('--within <n|%>', 'how close the answer must be: so many sizes, or a share such as 5% (default: 5%)')
    .option('--strategy <how>', 'bisect, ramp (up in small steps, never over), or fixed (the --sizes)', 'bisect')
    .option('--hold-at-limit <time>', 'with --strategy ramp: the size that it ends at is held once for so long: 10m')
    .option('--sizes <list>', 'what --strategy fixed tries: 4,8,12')
    .option(
      '--confidence <share>',
      'repeat the limit until it shows, as surely as this, that it passes 4 of 5 times: 0.9',
    )
    .option('--no-foresight', 'choose sizes by doubling and halving alone, whatever earlier trials took')
    .option('--no-screening', 'measure trials that only steer the search to their end, too')
    .option('--budget <time>', 'end within this time of trials, with the best interval reached: 45m');
}

/** Whether somebody said up to which size to search, on the command line or in a plan file. */
export function sizeIsChosen(command: Command): boolean {
  return command.getOptionValueSource('max') !== 'default' || command.getOptionValue('sizes') !== undefined;
}

const within: Written<number | `${number}%`> = {
  mustBe: 'must be a number of sizes, or 5%',
  inPlans: z.union([count().inPlans, shareInPlans]),
  read: readWithin,
};

const confidence: Written<number> = {
  mustBe: 'must be a share such as 90% or 0.9',
  inPlans: shareInPlans,
  read: readConfidence,
};

const sizes: Written<readonly number[]> = {
  mustBe: 'must be a list of sizes: [4, 8, 12]',
  inPlans: z.array(count().inPlans).min(1),
  read: (text, flag) => text.split(',').map((size) => readCount(size, flag)),
};

/** How the values of these flags are written. */
export const searchValues = {
  from: count(),
  max: count(),
  confirm: count({ to: 100 }),
  within,
  strategy: word(['bisect', 'ramp', 'fixed'], 'must be bisect, ramp or fixed'),
  holdAtLimit: duration,
  sizes,
  confidence,
  budget: duration,
} as const satisfies WrittenFlags;

/** What is read of a search, each once, for what else needs it alone. */
export interface SearchReading {
  readonly max: () => number;
  /** The list; undefined where no list is tried. */
  readonly sizes: () => readonly number[] | undefined;
  readonly budgetMs: () => number | undefined;
  /** Reads all together. Throws E_USAGE, E_DURATION, or SeveralFaults. */
  readonly all: () => Partial<SearchOptions>;
}

export function readingSearch(flags: SearchFlags): SearchReading {
  const max = once(() => searchValues.max.read(flags.max, '--max'));
  const budgetMs = once(() => asked(flags.budget, searchValues.budget, '--budget'));
  const sizes = once(() =>
    flags.strategy === 'fixed' ? asked(flags.sizes, searchValues.sizes, '--sizes') : undefined,
  );
  return { max, sizes, budgetMs, all: once(() => readSearch(flags, { max, sizes, budgetMs })) };
}

function asked<Value>(text: string | undefined, written: Written<Value>, flag: string): Value | undefined {
  return text === undefined ? undefined : written.read(text, flag);
}

function readSearch(flags: SearchFlags, reading: Omit<SearchReading, 'all'>): Partial<SearchOptions> {
  const { max, sizes } = reading;
  const strategy = once(() => searchValues.strategy.read(flags.strategy, '--strategy'));
  const read = readTogether({
    max,
    confirm: () => searchValues.confirm.read(flags.confirm, '--confirm'),
    strategy,
    listed: () => readStrategy(strategy(), flags.sizes !== undefined, sizes, max),
    from: () => (flags.from === undefined ? undefined : readFrom(flags.from, max())),
    within: () => asked(flags.within, searchValues.within, '--within'),
    confidence: () => asked(flags.confidence, searchValues.confidence, '--confidence'),
    sure: () => assertRepeats(flags),
    holdMs: () => readHold(flags),
    budgetMs: reading.budgetMs,
  });
  const { from, within, confidence, budgetMs, holdMs } = read;
  return {
    max: read.max,
    confirm: read.confirm,
    ...read.listed,
    ...(from === undefined ? {} : { from }),
    ...(within === undefined ? {} : { within }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(budgetMs === undefined ? {} : { budgetMs }),
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(flags.foresight === false ? { foresight: false } : {}),
    ...(flags.screening === false ? { screening: false } : {}),
  };
}

function readStrategy(
  strategy: 'bisect' | 'ramp' | 'fixed',
  hasSizes: boolean,
  sizes: SearchReading['sizes'],
  max: SearchReading['max'],
): Partial<SearchOptions> {
  const listed = sizes();
  if (listed) {
    assertUpTo(max(), Math.max(...listed), '--sizes');
    return { strategy, sizes: [...listed] };
  }
  if (strategy !== 'fixed' && !hasSizes) return strategy === 'bisect' ? {} : { strategy };
  throw new LoadlineError(
    'E_USAGE',
    strategy === 'fixed' ? '--strategy fixed needs --sizes.' : '--sizes is for --strategy fixed only.',
    { where: '--strategy, --sizes', todo: 'write for example --strategy fixed --sizes 4,8,12' },
  );
}

/** The other strategies try a size as often as `--confirm` says, which shows less than was asked. */
function assertRepeats({ strategy, confidence }: SearchFlags): void {
  if (confidence === undefined || strategy === 'bisect') return;
  throw new LoadlineError('E_USAGE', `--confidence is for --strategy bisect, not for ${strategy}.`, {
    where: '--confidence, --strategy',
    why: 'the other strategies try each size as often as --confirm says',
    todo: 'leave --confidence out and raise --confirm, or leave --strategy out',
  });
}

/** The other strategies go over the limit, and have no size at which they stay. */
function readHold({ holdAtLimit: hold, strategy }: SearchFlags): number | undefined {
  if (hold === undefined || strategy === 'ramp') return asked(hold, searchValues.holdAtLimit, '--hold-at-limit');
  throw new LoadlineError('E_USAGE', `--hold-at-limit is for --strategy ramp, not for ${strategy}.`, {
    where: '--hold-at-limit, --strategy',
    why: 'the other strategies go over the limit, and end at no size',
    todo: 'leave --hold-at-limit out, or add --strategy ramp',
  });
}

function readFrom(text: string, max: number): number {
  const from = searchValues.from.read(text, '--from');
  assertUpTo(max, from, '--from');
  return from;
}

function assertUpTo(max: number, size: number, flag: string): void {
  if (size <= max) return;
  throw new LoadlineError('E_USAGE', `${flag} ${size} is above --max ${max}.`, {
    where: `${flag}, --max`,
    why: 'nothing above --max is tried',
    todo: `use ${flag} ${max}, or --max ${size} or more`,
  });
}

function readWithin(text: string, flag: string): number | `${number}%` {
  const percent = percentIn(text) ?? Number.NaN;
  if (Number.isNaN(percent) && !text.includes('%')) return readCount(text, flag);
  if (percent > 0 && percent < 100) return `${percent}%`;
  throw new LoadlineError('E_USAGE', `${flag} must be a number of sizes or a share below 100%, not "${text}".`, {
    where: flag,
    todo: `write for example ${flag} 2 or ${flag} 5%`,
  });
}

function readConfidence(text: string, flag: string): number {
  const value = Number(((percentIn(text) ?? Number.NaN) / 100).toPrecision(12));
  if (value > 0 && value <= 0.999) return value;
  throw new LoadlineError('E_USAGE', `${flag} must be a share up to 0.999, not "${text}".`, {
    where: flag,
    todo: `write for example ${flag} 0.9 or ${flag} 90%`,
  });
}
