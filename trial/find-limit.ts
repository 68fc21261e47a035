import { nextStep } from '../analysis/search/search.js';
import { singleSizeStep } from '../analysis/search/single-size.js';
import type { Plan } from '../model/plan.js';
import type { RunResult } from '../model/run.js';
import type { Scenario } from '../model/scenario.js';
import { conductRun } from './conduct-run.js';
import type { Parts } from './parts.js';
import type { ResumedRun } from './resumed-run.js';

/**
 * Searches the largest stable size. Starts the media server, runs trials until the search has its answer, and stops
 * the server whatever happens. Every record is stored before the next step is asked for.
 *
 * A run that cannot go on (aborted, server gone or not clean) resolves with outcome `void` and what is known so far.
 * With `resumed`, it goes on after the trials of that run, and rejects with E_RESUME when its surroundings are others now.
 * Rejects with what `server.start` rejects with; with E_CHROMIUM_START; with E_OUT or E_DISK_FULL when a record cannot
 * be stored; with E_INTERNAL.
 */
export function findLimit(
  plan: Plan,
  scenario: Scenario,
  parts: Parts,
  signal: AbortSignal,
  resumed?: ResumedRun,
): Promise<RunResult> {
  const step = nextStep.bind(undefined, plan.search, scenario.baselineSize);
  return conductRun(plan, scenario, parts, signal, step, resumed);
}

/** One trial of this size, after one of the baseline size. Resolves and rejects as `findLimit`; the trial is the last. */
export function tryOnce(
  plan: Plan,
  scenario: Scenario,
  size: number,
  parts: Parts,
  signal: AbortSignal,
): Promise<RunResult> {
  const step = singleSizeStep.bind(undefined, size, plan.search, scenario.baselineSize);
  return conductRun(plan, scenario, parts, signal, step);
}
