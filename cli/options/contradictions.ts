import type { Command } from 'commander';
import { shortestSettleMs } from '../../analysis/needs/plan-cost.js';
import { LoadlineError } from '../../model/errors.js';
import type { Timing } from '../../model/plan.js';

/** Flags that are right by themselves, but contradict each other or have no effect together. */

/** Throws E_USAGE for what is required of a search that tries nothing so large. */
export function assertRequired(required: number | undefined, max: number): void {
  if (required === undefined || required <= max) return;
  throw new LoadlineError('E_USAGE', `--require ${required} is above ${max}, the largest size that is tried.`, {
    where: '--require, --max, --sizes',
    why: 'no search could show that so many hold',
    todo: `use --require ${max} or less, or try sizes up to ${required}`,
  });
}

/** Throws E_USAGE for both of `--record` and `--no-record`, of which the parser would silently keep the last. */
export function assertOneRecord(args: readonly string[]): void {
  if (!args.includes('--record') || !args.includes('--no-record')) return;
  throw new LoadlineError('E_USAGE', '--record and --no-record contradict each other.', {
    where: '--record, --no-record',
    todo: 'leave one of the two out',
  });
}

/** One trial searches nothing: throws E_USAGE for what only a search reads. */
export function assertNoSearch(command: Command): void {
  const searches = ['from', 'max', 'confirm', 'within', 'strategy', 'sizes', 'confidence', 'budget', 'require'];
  const given = searches.filter((name) => command.getOptionValueSource(name) === 'cli').map((name) => `--${name}`);
  if (given.length === 0) return;
  throw new LoadlineError('E_USAGE', `${given.join(', ')} cannot be given with --size.`, {
    where: ['--size', ...given].join(', '),
    why: '--size is one trial instead of a search',
    todo: 'leave --size out to search, or the others out to try one size',
  });
}

/** Throws E_USAGE for a budget in which no trial could end, however soon its participants have joined and settled. */
export function assertBudgetHolds(budgetMs: number | undefined, { settleMs, measureMs }: Timed): void {
  const leastMs = measureMs + Math.min(settleMs, shortestSettleMs);
  if (budgetMs === undefined || budgetMs >= leastMs) return;
  throw new LoadlineError('E_USAGE', `--budget ${budgetMs / 1000}s has no room for one trial.`, {
    where: '--budget, --measure',
    why: `a trial takes ${leastMs / 1000}s at least: it measures for ${measureMs / 1000}s, after joining and settling`,
    todo: 'give a longer --budget, or a shorter --measure',
  });
}

type Timed = Pick<Timing, 'settleMs' | 'measureMs'>;
