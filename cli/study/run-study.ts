import { join } from 'node:path';
import { answerText } from '../../analysis/report/run-list.js';
import { runResult } from '../../analysis/search/result.js';
import { endedAfter, type FoundLimit } from '../../analysis/study/precision.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { allowedCpus } from '../../host/core-count.js';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { isSimulated } from '../../model/plan.js';
import { heldLimit } from '../../model/run.js';
import {
  answersAgainLabel,
  type PlayedStep,
  probeCpusLabel,
  type Study,
  type StudyStep,
  serverCpusLabel,
} from '../../model/study.js';
import { runChild } from '../monitor/run-child.js';
import { whatWasSaid } from '../monitor/run-watch.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';
import { reportBeside } from '../report/report-beside.js';
import { argumentsOf, assertPossible, type CellPlan } from './cell-plan.js';
import { type StartedServer, startedServer } from './started-server.js';
import { noteFailure, studyLayout } from './study-folder.js';

/** Longer than any search takes. */
const withinMs = 12 * 3_600_000;

interface StudyWork {
  readonly folder: string;
  readonly study: Study;
  readonly plans: readonly CellPlan[];
  /** Runs that are there already. */
  readonly done: readonly PlayedStep[];
  /** In the order in which they are made; those that have a run already are not among them. */
  readonly steps: readonly StudyStep[];
  readonly budgetMs: number | undefined;
  readonly probeCpus: string | undefined;
}

/**
 * Makes the runs of a study, one after the other and each as a process of its own: an ordinary search, whose folder is
 * the truth about it. One that fails is written down, and the study goes on. Rejects with nothing but E_OUT.
 */
export async function playStudy(work: StudyWork, tool: ToolProcess, signal: AbortSignal): Promise<void> {
  const begunMs = performance.now();
  const total = work.study.rounds * work.study.cells.length * work.study.parts.length;
  const limits: FoundLimit[] = work.done.filter(({ part }) => part === 'limit');
  for (const [index, step] of work.steps.entries()) {
    if (signal.aborted) return;
    if (step.round > (endedAfter(work.study, limits) ?? step.round)) {
      tool.stderr.write(`  Each limit is as precise as was asked: ${work.steps.length - index} runs are not made.\n`);
      return;
    }
    const left = `${total - work.steps.length + index + 1} of ${total}`;
    if (work.budgetMs !== undefined && performance.now() - begunMs >= work.budgetMs) {
      tool.stderr.write(`  The time of the study is up: ${work.steps.length - index} runs were not made.\n`);
      return;
    }
    const startMs = performance.now();
    const said = await playStep(step, { ...work, limits }, tool, signal).catch(async (error: unknown) => {
      if (signal.aborted) return undefined;
      const why = whyOf(error);
      await noteFailure(work.folder, step, why);
      return `failed: ${why}`;
    });
    if (said === undefined) return;
    const took = durationText(performance.now() - startMs);
    tool.stderr.write(
      `  ${left}  round ${step.round}  ${step.cell.id}${step.part === 'limit' ? '' : `  ${step.part}`}  ${said}  in ${took}\n`,
    );
  }
}

/** `limits` are those that were found so far. */
type Playing = StudyWork & { readonly limits: FoundLimit[] };

/** What came of it, in a few words. */
async function playStep(step: StudyStep, work: Playing, tool: ToolProcess, signal: AbortSignal): Promise<string> {
  const { folder, study, plans, limits } = work;
  const { round, part, cell } = step;
  const plan = plans.find((one) => one.cell.id === cell.id);
  if (!plan) throw new Error(`The study has no plan of ${cell.id}.`);
  const found = limits.find((one) => one.cell === cell.id && one.round === round);
  const limit = (found && heldLimit(found.run.answer)) ?? 0;
  assertPossible(part, plan, limit);
  const out = join(folder, studyLayout.round(round));
  await makeFolders(out);
  const server = await startedServer(plan.server, folder, tool, signal);
  try {
    const again = part === 'recovery' ? await killed(server) : [];
    const labels = [...again, ...coresOf(server, work.probeCpus)];
    const at = { part, round, seed: study.seed, out, limit, labels, serverPid: await server?.pid() };
    const args = argumentsOf(plan, join(folder, studyLayout.cell(cell.id, part)), at);
    const ended = await runChild(onCores(tool, work.probeCpus), args, withinMs, signal);
    signal.throwIfAborted();
    const { runDirectory } = (jsonIn(ended.stdout) ?? {}) as { readonly runDirectory?: string };
    if (runDirectory === undefined) throw new Error(whatWasSaid(ended));
    const stored = await openRun(runDirectory);
    if (isSimulated(stored.manifest.plan.server)) await reportBeside(runDirectory, tool);
    const { manifest, records } = stored;
    const run = finishedRun(stored);
    if (part === 'limit') limits.push({ cell: cell.id, round, part, run });
    return answerText({ name: '', manifest, trials: records.length, result: runResult(run) });
  } finally {
    await server?.close();
  }
}

/** One that the run starts itself was not there before; its run says how long that took. */
async function killed(server: StartedServer | undefined): Promise<string[]> {
  return server ? [`${answersAgainLabel}=${Math.round(await server.killAndStart())}`] : [];
}

/** What the run starts, its embedded server with it, stays on these cores. */
function onCores(tool: ToolProcess, cpus: string | undefined): ToolProcess {
  return cpus === undefined ? tool : { ...tool, selfCommand: ['taskset', '-c', cpus, ...tool.selfCommand] };
}

function coresOf(server: StartedServer | undefined, probes: string | undefined): string[] {
  const told = { [serverCpusLabel]: server?.cpus(), [probeCpusLabel]: probes ?? allowedCpus('self') };
  return Object.entries(told).flatMap(([label, cpus]) =>
    cpus === undefined ? [] : `${label}=${cpus.replaceAll(',', '+')}`,
  );
}

function whyOf(error: unknown): string {
  const more = error instanceof LoadlineError && error.why !== undefined ? ` ${error.why}.` : '';
  return `${messageOf(error)}${more}`;
}
