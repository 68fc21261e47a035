import { dirname, resolve } from 'node:path';
import { heldTo } from '../../analysis/compare/expectations.js';
import { checkRelease } from '../../analysis/compare/release-check.js';
import { marksOf, noLimitOf } from '../../analysis/compare/release-marks.js';
import { orderCautions, pairsInTime, type Release } from '../../analysis/compare/run-order.js';
import { differentPlaces, differentPlan, isSameMachine } from '../../analysis/compare/same-load.js';
import { compareText, plural } from '../../analysis/wording/wording.js';
import { LoadlineError } from '../../model/errors.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { those } from '../../model/those.js';
import { listRuns } from '../../store/run-directory/list-runs.js';
import type { RunTrust } from '../../store/run-directory/own-run.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';
import { readExpectations } from './read-expectations.js';

interface ReleaseAsk {
  readonly tag: string | undefined;
  /** The folder with the runs of the tag; absent: that of the first run. */
  readonly among: string | undefined;
  readonly expectations: string | undefined;
  readonly chance: number;
  readonly trust: RunTrust;
}

/** The last so many runs of a tag: ways to deal more of them are beyond counting. */
export const mostRuns = 10;

/** Throws E_RUN, E_USAGE, E_PLAN. */
export async function releaseReport(runs: readonly FinishedRun[], ask: ReleaseAsk, tool: ToolProcess) {
  const names = runs.map(({ runDirectory }) => runDirectory);
  const expectations = ask.expectations === undefined ? [] : await readExpectations(ask.expectations, runs, tool);
  return {
    runs: names,
    ...(ask.tag === undefined ? {} : { baseline: await baselineOf(runs, ask.tag, ask, tool) }),
    expectations: expectations.map((one) => heldTo(one, runs)),
  };
}

async function baselineOf(runs: readonly FinishedRun[], tag: string, ask: ReleaseAsk, tool: ToolProcess) {
  const { among, chance, trust } = ask;
  const different = differentPlan(runs);
  if (different || runs.length > mostRuns) throw cannotStandTogether(different);
  const [first] = runs;
  const others = runs.filter((run) => first && !isSameMachine(first, run)).map(({ runDirectory }) => runDirectory);
  if (others.length > 0) {
    throw cannotStandTogether({ label: 'another machine than that of the first run', values: others });
  }
  const folder = among === undefined ? dirname(runs[0]?.runDirectory ?? '.') : resolve(tool.workingFolder, among);
  const tagged = (await runsOfTag(folder, tag, trust, tool)).filter(
    ({ runDirectory }) => !runs.some((run) => run.runDirectory === runDirectory),
  );
  const fitting = tagged.filter((run) => runs.every((own) => !differentPlan([own, run]) && isSameMachine(own, run)));
  const taken = fitting.slice(-mostRuns);
  if (taken.length === 0) throw nothingTagged(tag, folder, tagged.length);
  const places = differentPlaces([...taken, ...runs]);
  const inOrder = byTime([...taken.map(ofRelease('before')), ...runs.map(ofRelease('after'))]);
  const check = checkRelease(inOrder, chance);
  return {
    tag,
    runs: taken.map(({ runDirectory }) => runDirectory),
    cautions: those(
      ...orderCautions(inOrder, pairsInTime(inOrder), check.by === 'pairs', tag),
      fitting.length < tagged.length &&
        `${plural(tagged.length - fitting.length, 'run')} of ${tag} of another load or on another machine left out.`,
      taken.length < fitting.length && `Of ${fitting.length} runs of ${tag} the last ${mostRuns} were taken.`,
      places.length > 0 && `Not all were measured alike: ${places.join('; ')}.`,
    ),
    check,
  };
}

const ofRelease = (release: Release) => (run: FinishedRun) => ({
  release,
  marks: marksOf(run),
  noLimit: noLimitOf(run),
  startedAt: run.manifest.startedAt,
});

function byTime<Run extends { readonly startedAt: string }>(runs: readonly Run[]): Run[] {
  return [...runs].sort((a, b) => compareText(a.startedAt, b.startedAt));
}

/** By time, the oldest first. Runs that cannot be read are told, and none of the tag. */
async function runsOfTag(folder: string, tag: string, trust: RunTrust, tool: ToolProcess): Promise<FinishedRun[]> {
  const found: StoredRun[] = [];
  const { unreadable } = await listRuns(folder, async (directory) => {
    const stored = await openRun(directory, trust);
    if (stored.manifest.tags?.includes(tag)) found.push(stored);
    return stored;
  });
  for (const { name, why } of unreadable) tool.stderr.write(`warning: ${name} is left out: ${why}\n`);
  return found.map(finishedRun).sort((a, b) => compareText(a.manifest.startedAt, b.manifest.startedAt));
}

function cannotStandTogether(different?: {
  readonly label: string;
  readonly values: readonly string[];
}): LoadlineError {
  const { label = '--baseline', values = [`${mostRuns} runs are the most`] } = different ?? {};
  const todo = 'name runs of one scenario, one load and one machine, repeats of each other';
  return usageError('These runs cannot be checked as one release.', [label], todo, values.join(' | '));
}

function nothingTagged(tag: string, folder: string, others: number): LoadlineError {
  return new LoadlineError('E_RUN', `No run like these has the tag ${tag}.`, {
    where: folder,
    why:
      others === 0
        ? 'no run there has that tag'
        : `${plural(others, 'run')} with that tag measured something else, or on another machine`,
    todo: 'measure the earlier release with --tag, or name the folder of its runs with --among',
  });
}
