import { once } from '../../host/once.js';
import { planSchema } from '../../model/plan.js';
import { scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { assertBudgetHolds, readRequired } from './contradictions.js';
import { paceOfSearch, type RunFlags, readRunFlags, readTiming } from './run-flags.js';
import type { RunRequest } from './run-request.js';
import { readingSearch, type SearchFlags, type SearchReading } from './search-flags.js';
import { readTogether } from './together.js';

export interface SearchRequestFlags extends RunFlags, SearchFlags {
  readonly require?: string;
}

/** All that `find` and `plan` are asked, read and checked as a whole. Throws what is wrong, or SeveralFaults. */
export function readSearchRequest(name: string, flags: SearchRequestFlags, kinds: readonly ServerKind[]): RunRequest {
  const timing = once(() => readTiming(flags, paceOfSearch(flags)));
  const search = readingSearch(flags);
  const read = readTogether({
    run: () => readRunFlags(name, flags, kinds, timing),
    search: search.all,
    required: () => readRequired(flags.require, largestAsked(search, name)),
    budget: () => assertBudgetHolds(search.budgetMs(), timing()),
  });
  return { ...read.run, plan: planSchema.parse({ ...read.run.plan, search: read.search }) };
}

/** No search tries more than this; no fewer than its baseline. */
function largestAsked({ max, sizes }: SearchReading, name: string): number {
  const baselineSize = scenarios.find((one) => one.name === name)?.baselineSize ?? 1;
  return Math.max(baselineSize, ...(sizes() ?? [max()]));
}
