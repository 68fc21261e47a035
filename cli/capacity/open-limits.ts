import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HostLimit, hostLimits } from '../../analysis/capacity/host-limit.js';
import { type MeasuredLimit, measuredLimit } from '../../analysis/capacity/measured-limit.js';
import { differentLoad } from '../../analysis/compare/same-load.js';
import { LoadlineError } from '../../model/errors.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { RunTrust } from '../../store/run-directory/own-run.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { namedRunFolder, openRun } from '../report/open-run.js';

/** Limits of stored runs, each `RUN` or `HOST-TYPE=RUN`. Throws E_RUN without one, E_USAGE if runs do not fit. */
export async function openLimits(words: readonly string[], trust: RunTrust, tool: ToolProcess): Promise<HostLimit[]> {
  const runs: { readonly run: FinishedRun; readonly hostType: string | undefined }[] = [];
  for (const word of words) {
    const { path, hostType } = await namedRun(word, tool);
    const stored = await openRun(path, trust);
    for (const warning of stored.warnings) tool.stderr.write(`warning: ${path}: ${warning}\n`);
    runs.push({ run: finishedRun(stored), hostType });
  }
  assertSameLoads(runs.map(({ run }) => run));
  return hostLimits(runs.map(({ run, hostType }) => withLimit(run, hostType)));
}

async function namedRun(word: string, tool: ToolProcess) {
  const [, hostType, path] = /^([^=/]+)=(.+)$/.exec(word) ?? [];
  if (hostType === undefined || path === undefined || existsSync(resolve(tool.workingFolder, word)))
    return { path: await namedRunFolder(word, tool), hostType: undefined };
  return { path: await namedRunFolder(path, tool), hostType };
}

function withLimit(run: FinishedRun, hostType: string | undefined): MeasuredLimit {
  const limit = measuredLimit(run, hostType);
  if (!('why' in limit)) return limit;
  throw new LoadlineError('E_RUN', `Nothing can be computed from the run ${limit.run}.`, {
    where: run.runDirectory,
    why: limit.why,
    todo: 'leave it out, or search again: loadline find',
  });
}

/** A room of four and one of eight are called the same, and their limits count different things. */
function assertSameLoads(runs: readonly FinishedRun[]): void {
  const scenarios = [...new Set(runs.map(({ manifest }) => manifest.plan.scenario))];
  for (const scenario of scenarios) {
    const own = runs.filter(({ manifest }) => manifest.plan.scenario === scenario);
    const different = differentLoad(own);
    if (!different) continue;
    throw new LoadlineError('E_USAGE', `The runs of ${scenario} measured different loads.`, {
      where: different.label,
      why: different.values.join(' | '),
      todo: 'name runs of one load at a time; loadline compare shows all that differs',
    });
  }
}
