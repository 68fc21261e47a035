import { planSchema } from '../../model/plan.js';
import { scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { assertBudgetHolds, readRequired } from './contradictions.js';
import { type RunFlags, readRunFlags, readTiming } from './run-flags.js';
import type { RunRequest } from './run-request.js';
import { readSearchFlags, type SearchFlags, searchValues } from './search-flags.js';
import { readTogether } from './together.js';

export interface SearchRequestFlags extends RunFlags, SearchFlags {
  readonly require?: string;
}

/** All that `find` and `plan` are asked, read and checked as a whole. Throws what is wrong, or SeveralFaults. */
export function readSearchRequest(name: string, flags: SearchRequestFlags, kinds: readonly ServerKind[]): RunRequest {
  const read = readTogether({
    run: () => readRunFlags(name, flags, {}, kinds),
    search: () => readSearchFlags(flags),
    required: () => readRequired(flags.require, largestAsked(flags, name)),
    budget: () => assertBudgetHolds(budgetOf(flags), readTiming(flags)),
  });
  return { ...read.run, plan: planSchema.parse({ ...read.run.plan, search: read.search }) };
}

/** No search tries more than this; no fewer than its baseline. */
function largestAsked({ strategy, sizes, max }: SearchFlags, name: string): number {
  const baselineSize = scenarios.find((one) => one.name === name)?.baselineSize ?? 1;
  const listed = strategy === 'fixed' && sizes !== undefined ? searchValues.sizes.read(sizes, '--sizes') : [];
  return Math.max(baselineSize, ...(listed.length > 0 ? listed : [searchValues.max.read(max, '--max')]));
}

function budgetOf({ budget }: SearchFlags): number | undefined {
  return budget === undefined ? undefined : searchValues.budget.read(budget, '--budget');
}
