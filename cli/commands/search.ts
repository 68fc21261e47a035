import { largestSize } from '../../analysis/needs/plan-cost.js';
import { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import { findLimit } from '../../trial/find-limit.js';
import { exitCodeOfFind, interruptedCode, requirementOf } from '../exit-codes.js';
import { assertBudgetHolds, assertRequired } from '../options/contradictions.js';
import type { RunRequest } from '../options/run-request.js';
import { readCount } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { leaveRun } from '../wiring/run-parts.js';
import { conduct, whole } from './conduct.js';

/** What `find` and `simulate` do once it is known what is asked. Resolves with the exit code. */
export async function search(asked: RunRequest, required: string | undefined, tool: ToolProcess): Promise<number> {
  try {
    const request = await whole(asked, tool);
    if (!request) return interruptedCode;
    const { search: options, timing } = request.plan;
    const require = required === undefined ? undefined : readCount(required, '--require');
    assertRequired(require, largestSize(request.plan, request.scenario));
    if (!request.resumed) assertBudgetHolds(options.budgetMs, timing);
    return await conduct(request, tool, async (parts, signal) => {
      const result = await findLimit(request, parts, signal);
      const exitCode = exitCodeOfFind(result, require);
      return {
        result,
        exitCode,
        required: require === undefined ? undefined : requirementOf(exitCode, require, result),
      };
    });
  } finally {
    if (asked.resumed) await leaveRun(asked.resumed.directory);
  }
}

/** A scenario is left out only where a stored run names it. Throws E_USAGE. */
export function namedScenario(name: string | undefined, command: string): string {
  if (name !== undefined) return name;
  const resumes = command === 'find' || command === 'simulate';
  const goOn = resumes ? `. Or go on with a stored run: loadline ${command} --resume RUN` : '';
  throw new LoadlineError('E_USAGE', 'Missing required argument "scenario".', {
    where: 'scenario',
    todo: `name one: ${scenarios.map(({ name: one }) => one).join(', ')}; loadline help scenarios says what each is${goOn}`,
  });
}
