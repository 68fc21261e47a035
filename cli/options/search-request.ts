import { Command } from 'commander';
import { once } from '../../host/once.js';
import { planSchema } from '../../model/plan.js';
import { scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { readAddingUp } from './adding-up.js';
import { assertBudgetHolds, assertRequired } from './contradictions.js';
import { addFlags, type Flags, readEach, type ValuesOf, valuesOf, type WordsOf } from './flag.js';
import { addRunFlags, askedRun, paceOfSearch, type RunWords, readRunFlags } from './run-flags.js';
import type { RunRequest } from './run-request.js';
import { searchFlags, searchOf } from './search-flags.js';
import { readTogether } from './together.js';
import { count } from './written.js';

export const requireFlags = {
  require: { about: 'exit 3 when the limit is below this size', value: count(), onResume: 'may', everyday: true },
} as const satisfies Flags;

/** What the commands that search on real servers are asked. */
export const allSearchFlags = { ...searchFlags, ...requireFlags } as const satisfies Flags;

export type SearchWords = RunWords & WordsOf<typeof allSearchFlags>;

export function addSearchFlags(command: Command, kinds: readonly ServerKind[]): Command {
  return addFlags(addRunFlags(command, kinds).optionsGroup('Search:'), allSearchFlags);
}

/**
 * All that `find` and `plan` are asked, read and checked as a whole. Throws what is wrong, or SeveralFaults.
 *
 * @param meant what the words are read as; throws where they cannot be
 */
export function readSearchRequest<Words extends SearchWords>(
  name: string,
  words: Words,
  kinds: readonly ServerKind[],
  meant: (words: Words) => SearchWords = (same) => same,
): RunRequest {
  const usual = () => addSearchFlags(new Command(), kinds).opts<Words>();
  return readAddingUp({ name, words }, usual, (asked) => readOnce(asked.name, meant(asked.words), kinds));
}

function readOnce(name: string, words: SearchWords, kinds: readonly ServerKind[]): RunRequest {
  const asked = valuesOf(allSearchFlags, words);
  const run = askedRun(words, () => paceOfSearch(asked.strategy, run.asked));
  const read = readTogether({
    run: () => readRunFlags(name, run, kinds),
    each: () => readEach(allSearchFlags, asked),
    search: once(() => searchOf(asked)),
    required: () => assertRequired(asked.require, largestAsked(asked, name)),
    budget: () => assertBudgetHolds(asked.budget, run.timing()),
  });
  return { ...read.run, plan: planSchema.parse({ ...read.run.plan, search: read.search }) };
}

/** No search tries more than this; no fewer than its baseline. */
function largestAsked({ max, sizes, strategy }: ValuesOf<typeof searchFlags>, name: string): number {
  const baselineSize = scenarios.find((one) => one.name === name)?.baselineSize ?? 1;
  return Math.max(baselineSize, ...((strategy === 'fixed' && sizes) || [max]));
}
