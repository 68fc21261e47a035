import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { againstText } from '../../analysis/report/against-text.js';
import { studyText } from '../../analysis/report/study-text.js';
import { against, type MeasuredStudy, type StudyAgainst } from '../../analysis/study/against.js';
import { cellsOf, scheduleOf } from '../../analysis/study/schedule.js';
import { type StudyAnswer, studyAnswer } from '../../analysis/study/study-answer.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type PlayedStep, partsOf, type StudiedServer, type Study, type StudyStep } from '../../model/study.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { lockRun, unlockRun } from '../../store/run-directory/run-lock.js';
import { exitCodeOfChecks, interruptedCode } from '../exit-codes.js';
import { readFlags, type WordsOf } from '../options/flag.js';
import { usageError } from '../options/usage-error.js';
import type { PlanKey } from '../plan-file/plan-keys.js';
import type { ToolProcess } from '../process.js';
import { listenForStop } from '../wiring/stop-request.js';
import { wallClock } from '../wiring/wall-clock.js';
import { type CheckedCell, checkedCells } from './cell-plan.js';
import { playStudy } from './run-study.js';
import { changedFiles, setUpOf } from './server-set-up.js';
import { proveLimits } from './started-server.js';
import { readStudyFile, type StudyPlan } from './study-file.js';
import { studyFlags } from './study-flags.js';
import { isSameStep, makeStudyFolder, questionOf, readStudy, runsOfStudy, studyLayout } from './study-folder.js';
import { writeStudyPage } from './study-page.js';
import { scheduleText } from './study-schedule.js';
import { assertSecrets, studyWarnings } from './study-warnings.js';

interface Surroundings {
  readonly keys: readonly PlanKey[];
  readonly kinds: Kinds;
  readonly tool: ToolProcess;
}

/** Checks the whole study, makes the runs that it lacks, and says what they found. Resolves with the exit code. */
export async function study(path: string, words: WordsOf<typeof studyFlags>, around: Surroundings): Promise<number> {
  const { tool } = around;
  const { out, dryRun, resume, format, against } = readFlags(studyFlags, words);
  const plan = await readStudyFile(path, around.keys);
  const names = ({ name }: { readonly name: string }) => name;
  const cells = cellsOf(plan.servers.map(names), plan.scenarios, plan.settings.map(names));
  const checked = await checkedCells(plan, cells, around);
  const servers = await Promise.all(plan.servers.map((server) => setUpOf(server, tool.workingFolder)));
  const asked = studyOf(plan, checked, servers);
  const folder = resume === undefined ? undefined : resolve(tool.workingFolder, resume);
  const begun = folder === undefined ? undefined : await sameStudy(folder, asked);
  const done = folder === undefined || !begun ? [] : (await runsOfStudy(folder, begun, 'own')).played;
  const steps = scheduleOf(asked, plan.rounds, plan.seed).filter(
    ({ round, cell, part }) => !done.some((one) => isSameStep(one, { cell: cell.id, round, part })),
  );
  // Its own folder is not made yet: a name that comes after every time stands for it.
  if (against !== undefined)
    await earlierStudy(asked, against, folder ?? join(resolve(tool.workingFolder, out), '~'), tool);
  const warnings = await studyWarnings(plan, checked, tool.workingFolder);
  if (begun) warnings.push(...changedFiles(begun, servers));
  const schedule = scheduleText(plan, checked, steps, warnings);
  if (dryRun) {
    tool.stdout.write(`${schedule}  Nothing was started.\n`);
    return 0;
  }
  assertSecrets(checked);
  await proveLimits(plan.servers);
  tool.stderr.write(schedule);
  const place = folder ?? (await newFolder(resolve(tool.workingFolder, out), asked, checked));
  return played({ place, study: begun ?? asked, plan, checked, done, steps, format, against }, tool);
}

function studyOf(plan: StudyPlan, checked: readonly CheckedCell[], servers: StudiedServer[]): Study {
  const { name, rounds, seed, chance, precision } = plan;
  const parts = partsOf(plan.find);
  return {
    format: 1,
    name,
    startedAt: new Date(wallClock.nowMs()).toISOString(),
    rounds,
    seed,
    chance,
    cells: checked.map(({ cell }) => cell),
    servers,
    ...given({ precision, over: plan.over && { ...plan.over, values: [...plan.over.values] } }),
    parts,
    question: questionOf(plan, parts, checked),
  };
}

/** Throws E_RESUME for a folder whose study asked something else. */
async function sameStudy(folder: string, { question, chance }: Study): Promise<Study> {
  const begun = await readStudy(folder, 'own');
  if (begun.question === question && begun.chance === chance) return begun;
  throw new LoadlineError('E_RESUME', 'The study in this folder asked something else.', {
    where: folder,
    why: 'the study file has been changed since: its servers, scenarios, plans, rounds, seed or chance are not those of then',
    todo: 'put the file back as it was, or leave --resume out, to begin a new study',
  });
}

/** "2026-11-21T14-03-12-study", as folders of runs are called. */
async function newFolder(out: string, study: Study, checked: readonly CheckedCell[]): Promise<string> {
  const folder = join(out, `${study.startedAt.slice(0, 19).replaceAll(':', '-')}-${study.name}`);
  await makeStudyFolder(folder, study, checked);
  return folder;
}

interface BegunStudy {
  readonly place: string;
  readonly study: Study;
  readonly plan: StudyPlan;
  readonly checked: readonly CheckedCell[];
  readonly done: readonly PlayedStep[];
  readonly steps: readonly StudyStep[];
  readonly format: 'text' | 'json';
  /** The folder of an earlier study, or "last". */
  readonly against: string | undefined;
}

async function played(begun: BegunStudy, tool: ToolProcess): Promise<number> {
  const { place: folder, study: own, plan, checked, done, steps } = begun;
  await lockRun(folder);
  const stop = listenForStop(tool, (text) => tool.stderr.write(`${text}\n`), interruptedCode);
  try {
    const work = {
      folder,
      study: own,
      plans: checked,
      done,
      steps,
      budgetMs: plan.budgetMs,
      probeCpus: plan.probeCpus,
    };
    await playStudy(work, tool, stop.signal);
    const { played: runs, failed, left } = await runsOfStudy(folder, own, 'own');
    for (const one of left) tool.stderr.write(`warning: left out: ${one}\n`);
    const answer = studyAnswer(own, runs, failed);
    const { against: asked, format } = begun;
    const since =
      asked === undefined ? undefined : await againstEarlier({ study: own, played: runs, failed }, asked, folder, tool);
    tool.stdout.write(saidOf(answer, since, format, tool));
    tool.stderr.write(`  Saved  ${folder}\n${await pageBeside(folder, answer, tool)}`);
    if (stop.signal.aborted) {
      tool.stderr.write(`  To go on:  loadline study ${plan.path} --resume ${folder}\n`);
      return interruptedCode;
    }
    const isWhole = answer.tables.every(({ cells }) => cells.every(({ limit }) => limit));
    return exitCodeOfChecks([
      isWhole ? 'met' : 'unknown',
      ...(since ? [since.kind].map((kind) => sinceCodes[kind]) : []),
    ]);
  } finally {
    stop.close();
    await unlockRun(folder);
  }
}

/** The answer was given before, so a page that cannot be written is told and changes nothing. */
async function pageBeside(folder: string, answer: StudyAnswer, tool: ToolProcess): Promise<string> {
  return writeStudyPage(folder, answer, tool).then(
    (path) => `  Page   ${path}\n`,
    (error: unknown) => `warning: ${studyLayout.page} could not be written: ${messageOf(error)}\n`,
  );
}

const sinceCodes = { worse: 'failed', unknown: 'unknown', 'none-worse': 'met' } as const;

/** The answer of a study, and what got worse since an earlier one. */
function saidOf(
  answer: StudyAnswer,
  since: StudyAgainst | undefined,
  format: 'text' | 'json',
  { stdout }: Pick<ToolProcess, 'stdout'>,
): string {
  if (format === 'json') return `${JSON.stringify({ ...answer, ...given({ against: since }) }, null, 2)}\n`;
  return `${studyText(answer, stdout.columns)}${since ? `\n${againstText(since, stdout.columns)}` : ''}`;
}

/** A study against the one in a folder, or against the last one before it of the same name. */
async function againstEarlier(
  later: MeasuredStudy,
  asked: string,
  folder: string,
  tool: ToolProcess,
): Promise<StudyAgainst> {
  const { place, study } = await earlierStudy(later.study, asked, folder, tool);
  return against({ study, ...(await runsOfStudy(place, study, 'own')) }, later);
}

/** Throws E_RUN or E_USAGE where there is none: that is asked before anything starts, too. */
async function earlierStudy(later: Study, asked: string, folder: string, tool: ToolProcess) {
  const place = asked === 'last' ? await lastBefore(later, folder) : resolve(tool.workingFolder, asked);
  return { place, study: await readStudy(place, 'own') };
}

/** Folders are called by their time. Throws E_USAGE where there is none. */
async function lastBefore({ name }: Study, folder: string): Promise<string> {
  const beside = dirname(folder);
  const names = (await readdir(beside).catch((): string[] => [])).filter(
    (one) => one.endsWith(`-${name}`) && one < basename(folder),
  );
  for (const one of names.sort().reverse()) {
    const study = await readStudy(join(beside, one), 'own').catch(() => undefined);
    if (study?.name === name) return join(beside, one);
  }
  const todo = 'name the folder of a study, or leave --against out the first time';
  throw usageError(`There is no earlier study "${name}" in ${beside}.`, ['--against'], todo);
}
