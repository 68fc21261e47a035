import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { answerOfTrials, contradictionOf } from '../../analysis/search/answer-of-trials.js';
import { LoadlineError } from '../../model/errors.js';
import type { Manifest } from '../../model/run.js';
import { assertOwnRun, type RunTrust } from '../../store/run-directory/own-run.js';
import { readRun, type StoredRun } from '../../store/run-directory/read-run.js';
import { readManifest } from '../../store/run-directory/read-sealed.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';

/**
 * Reads a stored run and holds its answer against its trials: every command that reads runs begins here. Throws E_RUN
 * for a run that was changed, and for an answer that no search could give of these trials.
 */
export async function openRun(path: string, trust: RunTrust = 'own'): Promise<StoredRun> {
  const stored = await readRun(path, trust);
  const { result, records, manifest, warnings } = stored;
  if (!result) {
    if (!answerOfTrials(manifest, records)) return stored;
    const text = 'result.json is missing; the answer is derived from the stored trials.';
    return { ...stored, warnings: [...warnings, text] };
  }
  const contradiction = contradictionOf(manifest, records, result);
  if (!contradiction) return stored;
  if (contradiction.kind === 'other') {
    const text = `result.json is not what follows from the stored trials: ${contradiction.text}.`;
    return { ...stored, warnings: [...warnings, text] };
  }
  throw new LoadlineError('E_RUN', 'result.json does not fit the trials of the stored run.', {
    where: 'result.json',
    why: contradiction.text,
    todo: 'put result.json and trials.jsonl back from a copy; without result.json the answer is derived from the trials',
  });
}

/** Where runs are looked for by name: what `--out` is without being told. */
const usualFolder = 'runs';

/**
 * The folder of a run: a path, or of those below `runs` the one with this name, the newest with this tag, or with
 * `latest` the newest. Throws E_RUN where there is none.
 */
export async function namedRunFolder(word: string, tool: Pick<ToolProcess, 'workingFolder'>): Promise<string> {
  for await (const newest of foldersNamed(word, tool)) return newest;
  throw noRun(word, tool);
}

/** The same, and of a tag all runs that have it, the newest first. */
export async function namedRunFolders(
  word: string,
  tool: Pick<ToolProcess, 'workingFolder'>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const one of foldersNamed(word, tool)) found.push(one);
  if (found.length === 0) throw noRun(word, tool);
  return found;
}

function noRun(word: string, { workingFolder }: Pick<ToolProcess, 'workingFolder'>): LoadlineError {
  const folder = resolve(workingFolder, usualFolder);
  const [text, why, todo] =
    word === 'latest'
      ? ['There is no latest run.', `no run is in ${folder}`, 'make one with loadline find']
      : [
          `No run is called ${word}.`,
          `it is no folder, and no name or tag of a run in ${folder}`,
          'loadline runs lists names and tags',
        ];
  return new LoadlineError('E_RUN', text, { where: word, why, todo: `${todo}, or name the folder of a run` });
}

/** One after the other: who wants the newest reads no older one. */
async function* foldersNamed(
  word: string,
  { workingFolder }: Pick<ToolProcess, 'workingFolder'>,
): AsyncGenerator<string, void, undefined> {
  if (word === '') throw usageError('The name of a run is empty.', ['RUN'], 'name a folder, a run, a tag, or latest');
  const path = resolve(workingFolder, word);
  if (word.includes('/') || existsSync(path)) return yield path;
  const folder = resolve(workingFolder, usualFolder);
  const entries = await readdir(folder).catch((): string[] => []);
  // Names begin with the time.
  const directories = entries
    .sort()
    .reverse()
    .map((name) => join(folder, name));
  const newest = directories.filter((directory) => existsSync(join(directory, 'manifest.json')));
  if (entries.includes(word)) return yield join(folder, word);
  if (word === 'latest') return yield* newest.slice(0, 1);
  for (const directory of newest) {
    const manifest = await ownManifest(directory).catch(() => undefined);
    if (manifest?.tags?.includes(word)) yield directory;
  }
}

/** Of a run of ours; its trials are not read for it. */
export async function ownManifest(directory: string, trust?: RunTrust): Promise<Manifest> {
  await assertOwnRun(directory, trust);
  return (await readManifest(directory)).manifest;
}
