import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answerText } from '../../analysis/report/run-list.js';
import { runResult } from '../../analysis/search/result.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { isSimulated } from '../../model/plan.js';
import type { Study, StudyStep } from '../../model/study.js';
import { runChild } from '../monitor/run-child.js';
import { whatWasSaid } from '../monitor/run-watch.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';
import { reportBeside } from '../report/report-beside.js';
import { argumentsOf, type CellPlan } from './cell-plan.js';
import { startedServer } from './started-server.js';
import { noteFailure, studyLayout } from './study-folder.js';

/** Longer than any search takes. */
const withinMs = 12 * 3_600_000;

interface StudyWork {
  readonly folder: string;
  readonly study: Study;
  readonly plans: readonly CellPlan[];
  /** In the order in which they are made; those that have a run already are not among them. */
  readonly steps: readonly StudyStep[];
  readonly budgetMs: number | undefined;
}

/**
 * Makes the runs of a study, one after the other and each as a process of its own: an ordinary search, whose folder is
 * the truth about it. One that fails is written down, and the study goes on. Rejects with nothing but E_OUT.
 */
export async function playStudy(work: StudyWork, tool: ToolProcess, signal: AbortSignal): Promise<void> {
  const begunMs = performance.now();
  const total = work.study.rounds * work.study.cells.length;
  for (const [index, step] of work.steps.entries()) {
    if (signal.aborted) return;
    const left = `${total - work.steps.length + index + 1} of ${total}`;
    if (work.budgetMs !== undefined && performance.now() - begunMs >= work.budgetMs) {
      tool.stderr.write(`  The time of the study is up: ${work.steps.length - index} runs were not made.\n`);
      return;
    }
    const startMs = performance.now();
    const said = await playStep(step, work, tool, signal).catch(async (error: unknown) => {
      if (signal.aborted) return undefined;
      const why = whyOf(error);
      await noteFailure(work.folder, step, why);
      return `failed: ${why}`;
    });
    if (said === undefined) return;
    const took = durationText(performance.now() - startMs);
    tool.stderr.write(`  ${left}  round ${step.round}  ${step.cell.id}  ${said}  in ${took}\n`);
  }
}

/** What came of it, in a few words. */
async function playStep(step: StudyStep, work: StudyWork, tool: ToolProcess, signal: AbortSignal): Promise<string> {
  const { folder, study, plans } = work;
  const plan = plans.find(({ cell }) => cell.id === step.cell.id);
  if (!plan) throw new Error(`The study has no plan of ${step.cell.id}.`);
  const out = join(folder, studyLayout.round(step.round));
  await mkdir(out, { recursive: true });
  const server = await startedServer(plan.server, folder, tool, signal);
  try {
    const at = { round: step.round, seed: study.seed, out };
    const ended = await runChild(
      tool,
      argumentsOf(plan, join(folder, studyLayout.cell(step.cell.id)), at),
      withinMs,
      signal,
    );
    signal.throwIfAborted();
    const { runDirectory } = (jsonIn(ended.stdout) ?? {}) as { readonly runDirectory?: string };
    if (runDirectory === undefined) throw new Error(whatWasSaid(ended));
    const stored = await openRun(runDirectory);
    if (isSimulated(stored.manifest.plan.server)) await reportBeside(runDirectory, tool);
    const { manifest, records } = stored;
    return answerText({ name: '', manifest, trials: records.length, result: runResult(finishedRun(stored)) });
  } finally {
    await server?.close();
  }
}

function whyOf(error: unknown): string {
  const more = error instanceof LoadlineError && error.why !== undefined ? ` ${error.why}.` : '';
  return `${messageOf(error)}${more}`;
}
