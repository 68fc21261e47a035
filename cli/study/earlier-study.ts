import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { against, type MeasuredStudy, type StudyAgainst } from '../../analysis/study/against.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { readStudy, runsOfStudy } from './study-folder.js';

/** A study against the one in a folder, or against the last one before it of the same name. */
export async function againstEarlier(
  later: MeasuredStudy,
  asked: string,
  folder: string,
  { workingFolder }: ToolProcess,
): Promise<StudyAgainst> {
  const place = asked === 'last' ? await lastBefore(later, folder) : resolve(workingFolder, asked);
  const study = await readStudy(place, 'own');
  const { played } = await runsOfStudy(place, study, 'own');
  return against({ study, played }, later);
}

/** Folders are called by their time. Throws E_USAGE where there is none. */
async function lastBefore({ study: { name } }: MeasuredStudy, folder: string): Promise<string> {
  const beside = dirname(folder);
  const names = (await readdir(beside)).filter((one) => one.endsWith(`-${name}`) && one < basename(folder));
  for (const one of names.sort().reverse()) {
    const study = await readStudy(join(beside, one), 'own').catch(() => undefined);
    if (study?.name === name) return join(beside, one);
  }
  const todo = 'name the folder of a study, or leave --against out the first time';
  throw usageError(`There is no earlier study "${name}" in ${beside}.`, ['--against'], todo);
}
