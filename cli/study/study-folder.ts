import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../host/make-folders.js';
import { writeWholeFile } from '../../host/whole-file.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { jsonIn } from '../../model/json-text.js';
import {
  type FailedStep,
  failedStepSchema,
  type PlayedStep,
  type Study,
  type StudyPart,
  type StudyStep,
  studySchema,
} from '../../model/study.js';
import { listRuns } from '../../store/run-directory/list-runs.js';
import { assertOwnRun, type RunTrust } from '../../store/run-directory/own-run.js';
import { storeError } from '../../store/run-directory/store-error.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';
import type { CellPlan } from './cell-plan.js';
import type { StudyPlan } from './study-file.js';

/** Of a folder of a study. The runs of each round have one of their own, so that none begins where another ended. */
export const studyLayout = {
  study: 'study.json',
  failed: 'failed.jsonl',
  page: 'study.html',
  cell: (id: string, part: StudyPart = 'limit') =>
    join('cells', part === 'join-rate' ? `${id}.joins.json` : `${id}.json`),
  round: (round: number) => `round-${String(round).padStart(2, '0')}`,
} as const;

/** Of what a study asks, in the words of its file; what is not asked changes nothing. */
export function questionOf(
  { rounds, seed, probeCpus, precision }: Pick<StudyPlan, 'rounds' | 'seed' | 'probeCpus' | 'precision'>,
  parts: readonly StudyPart[],
  cells: readonly CellPlan[],
): string {
  const asked = cells.map(({ cell, server, plan, joins }) => [
    ...[cell.id, server, plan],
    ...(parts.includes('join-rate') ? [joins] : []),
  ]);
  const text = JSON.stringify([rounds, seed, parts, probeCpus, asked, ...(precision ? [precision] : [])]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Makes the folder, and in it the plan of each cell as a file of its own. Throws E_OUT. */
export async function makeStudyFolder(folder: string, study: Study, cells: readonly CellPlan[]): Promise<void> {
  try {
    await makeFolders(dirname(folder));
    // One that is there is another study's.
    await mkdir(folder);
    await mkdir(join(folder, 'cells'));
    const write = (path: string, values: object) =>
      writeWholeFile(join(folder, path), [`${JSON.stringify(values, null, 2)}\n`]);
    for (const { cell, plan, joins } of cells) {
      await write(studyLayout.cell(cell.id), plan);
      if (study.parts.includes('join-rate')) await write(studyLayout.cell(cell.id, 'join-rate'), joins);
    }
    await write(studyLayout.study, study);
  } catch (error) {
    throw storeError(error, folder, 'the folder of the study cannot be made');
  }
}

/** Throws E_RUN for a folder that holds no study, or another user's. */
export async function readStudy(folder: string, trust: RunTrust): Promise<Study> {
  await assertOwnRun(folder, trust);
  const text = await readFile(join(folder, studyLayout.study), 'utf8').catch((error: unknown) => {
    throw notAStudy(folder, messageOf(error));
  });
  const read = studySchema.safeParse(jsonIn(text));
  if (read.success) return read.data;
  throw notAStudy(folder, `${read.error.issues[0]?.path.join('.')}: ${read.error.issues[0]?.message}`);
}

function notAStudy(folder: string, why: string): LoadlineError {
  const todo = 'name the folder of a study: loadline study says which it is';
  return new LoadlineError('E_RUN', 'This folder holds no study.', { where: folder, why, todo });
}

interface StudyRuns {
  readonly played: readonly PlayedStep[];
  readonly failed: readonly FailedStep[];
  /** Runs that did not come to their end, and folders that cannot be read. */
  readonly left: readonly string[];
}

/** What the study has measured so far; of two runs of one step the first. */
export async function runsOfStudy(folder: string, study: Study, trust: RunTrust): Promise<StudyRuns> {
  const played: PlayedStep[] = [];
  const left: string[] = [];
  const names = await readdir(folder);
  for (let round = 1; round <= study.rounds; round += 1) {
    const of = studyLayout.round(round);
    if (!names.includes(of)) continue;
    // Listed by the same reader as those of every other folder; a run is kept whole while it is looked at.
    const seen = new Map<string, FinishedRun>();
    const { runs, unreadable } = await listRuns(join(folder, of), async (directory) => {
      const stored = await openRun(directory, trust);
      seen.set(directory, finishedRun(stored));
      return stored;
    });
    left.push(...unreadable.map(({ name, why }) => `${of}/${name}: ${why}`));
    for (const { name, manifest, result } of runs) {
      const run = seen.get(join(folder, of, name));
      const { cell = '', round: told, part: asked } = manifest.labels ?? {};
      const part = study.parts.find((one) => one === asked);
      const isOurs = study.cells.some(({ id }) => id === cell) && told === String(round);
      const isFirst = !played.some((one) => isSameStep(one, { cell, round, part: part ?? 'limit' }));
      if (run && result && !result.interrupted && part && isOurs && isFirst)
        played.push({ cell, round, part, path: `${of}/${name}`, run });
      else
        left.push(`${of}/${name}: ${result && !result.interrupted ? 'not of this study' : 'did not come to its end'}`);
    }
  }
  return { played, failed: await failedSteps(folder, played), left };
}

/** The last failure of each step that has no run. */
async function failedSteps(folder: string, played: readonly PlayedStep[]): Promise<FailedStep[]> {
  const text = await readFile(join(folder, studyLayout.failed), 'utf8').catch(() => '');
  const told = text.split('\n').flatMap((line) => failedStepSchema.safeParse(jsonIn(line)).data ?? []);
  return told.filter(
    (one, nth) =>
      !played.some((other) => isSameStep(one, other)) && !told.slice(nth + 1).some((later) => isSameStep(one, later)),
  );
}

type StepName = Omit<FailedStep, 'why'>;

export function isSameStep(a: StepName, b: StepName): boolean {
  return a.cell === b.cell && a.round === b.round && a.part === b.part;
}

export async function noteFailure(folder: string, { cell, round, part }: StudyStep, why: string): Promise<void> {
  const line = JSON.stringify({ cell: cell.id, round, part, why } satisfies FailedStep);
  await appendFile(join(folder, studyLayout.failed), `${line}\n`).catch((error: unknown) => {
    throw storeError(error, folder, 'a failure of the study cannot be written');
  });
}
