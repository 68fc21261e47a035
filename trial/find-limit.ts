import { nextStep } from '../analysis/search/search.js';
import { singleSizeStep } from '../analysis/search/single-size.js';
import type { RunResult } from '../model/run.js';
import { conductRun, type RunOrder } from './conduct-run.js';
import type { Parts } from './parts.js';

/**
 * Searches the largest stable size. Starts the media server, runs trials until the search has its answer, and stops the
 * server whatever happens. Every record is stored before the next step is asked for.
 *
 * A run that cannot go on (aborted, server gone or not clean) resolves with outcome `void` and what is known so far.
 * With `resumed`, it goes on after the trials of that run, and rejects with E_RESUME when its surroundings are others
 * now. Rejects with what `server.start` rejects with; with E_CHROMIUM_START; with E_OUT or E_DISK_FULL when a record
 * cannot be stored; with E_INTERNAL.
 */
export function findLimit(order: RunOrder, parts: Parts, signal: AbortSignal): Promise<RunResult> {
  const { plan, scenario } = order;
  return conductRun(order, nextStep.bind(undefined, plan.search, scenario.baselineSize), parts, signal);
}

/** One trial of this size, after one of the baseline size. Resolves and rejects as `findLimit`. */
export function tryOnce(
  { plan, scenario }: Omit<RunOrder, 'resumed'>,
  size: number,
  parts: Parts,
  signal: AbortSignal,
): Promise<RunResult> {
  const step = singleSizeStep.bind(undefined, size, plan.search, scenario.baselineSize);
  return conductRun({ plan, scenario }, step, parts, signal);
}
