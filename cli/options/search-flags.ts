import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { SearchOptions } from '../../model/plan.js';
import { readCount, readDuration, readWord } from './values.js';

/** The flags of a search, as words. */
export interface SearchFlags {
  readonly from?: string;
  readonly max: string;
  readonly confirm: string;
  readonly within?: string;
  readonly strategy: string;
  readonly sizes?: string;
  readonly confidence?: string;
  readonly budget?: string;
}

export function addSearchFlags(command: Command): Command {
  return command
    .option('--from <n>', 'first size after the baseline (default: twice the baseline)')
    .option('--max <n>', 'no larger size is tried', '512')
    .option('--confirm <n>', 'how often the limit must pass, at least', '3')
    .option('--within <n|%>', 'how close the answer must be: so many sizes, or a share such as 5% (default: 5%)')
    .option('--strategy <how>', 'bisect, ramp (up in small steps, never over), or fixed (the --sizes)', 'bisect')
    .option('--sizes <list>', 'what --strategy fixed tries: 4,8,12')
    .option(
      '--confidence <share>',
      'repeat the limit until it shows, as surely as this, that it passes 4 of 5 times: 0.9',
    )
    .option('--budget <time>', 'end within this time of trials, with the best interval reached: 45m');
}

/** Whether somebody said up to which size to search, on the command line or in a plan file. */
export function sizeIsChosen(command: Command): boolean {
  return command.getOptionValueSource('max') !== 'default' || command.getOptionValue('sizes') !== undefined;
}

/** Reads them together. Throws E_USAGE, E_DURATION. */
export function readSearchFlags(flags: SearchFlags): Partial<SearchOptions> {
  const max = readCount(flags.max, '--max');
  return {
    max,
    confirm: readCount(flags.confirm, '--confirm', { to: 100 }),
    ...readStrategy(flags, max),
    ...(flags.from === undefined ? {} : { from: readFrom(flags.from, max) }),
    ...(flags.within === undefined ? {} : { within: readWithin(flags.within) }),
    ...(flags.confidence === undefined ? {} : { confidence: readConfidence(flags.confidence) }),
    ...(flags.budget === undefined ? {} : { budgetMs: readDuration(flags.budget, '--budget') }),
  };
}

function readStrategy({ strategy: text, sizes }: SearchFlags, max: number): Partial<SearchOptions> {
  const strategy = readWord(text, '--strategy', ['bisect', 'ramp', 'fixed']);
  if (strategy === 'fixed' && sizes !== undefined) {
    return { strategy, sizes: sizes.split(',').map((size) => readCount(size, '--sizes', { to: max })) };
  }
  if (strategy !== 'fixed' && sizes === undefined) return strategy === 'bisect' ? {} : { strategy };
  throw new LoadlineError(
    'E_USAGE',
    sizes === undefined ? '--strategy fixed needs --sizes.' : '--sizes is for --strategy fixed only.',
    { where: '--strategy, --sizes', todo: 'write for example --strategy fixed --sizes 4,8,12' },
  );
}

function readFrom(text: string, max: number): number {
  const from = readCount(text, '--from');
  if (from <= max) return from;
  throw new LoadlineError('E_USAGE', `--from ${from} is above --max ${max}.`, {
    where: '--from, --max',
    why: 'the search starts at --from and tries nothing above --max',
    todo: `use --from ${max}, or --max ${from} or more`,
  });
}

function readWithin(text: string): number | `${number}%` {
  const share = /^(\d{1,2}(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1];
  if (share === undefined && !text.includes('%')) return readCount(text, '--within');
  const percent = Number(share);
  if (percent > 0) return `${percent}%`;
  throw new LoadlineError('E_USAGE', `--within must be a number of sizes or a share below 100%, not "${text}".`, {
    where: '--within',
    todo: 'write for example --within 2 or --within 5%',
  });
}

function readConfidence(text: string): number {
  const value = /^0?\.\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 0.999) return value;
  throw new LoadlineError('E_USAGE', `--confidence must be a share up to 0.999, not "${text}".`, {
    where: '--confidence',
    todo: 'write for example --confidence 0.9',
  });
}
