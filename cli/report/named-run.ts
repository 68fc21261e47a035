import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assertOwnRun } from '../../store/run-directory/own-run.js';
import { readManifest } from '../../store/run-directory/read-sealed.js';
import type { ToolProcess } from '../process.js';

/** Where runs are looked for by name: what `--out` is without being told. */
const usualFolder = 'runs';

/**
 * The folder of a run: a path, or of those below `runs` the one with this name, the newest with this tag, or with
 * `latest` the newest. A word that names none is taken for a path, which reading it then refuses.
 */
export async function namedRunFolder(word: string, { workingFolder }: Pick<ToolProcess, 'workingFolder'>) {
  const path = resolve(workingFolder, word);
  if (word.includes('/') || word === '' || existsSync(path)) return path;
  const folder = resolve(workingFolder, usualFolder);
  const entries = await readdir(folder).catch((): string[] => []);
  // Names begin with the time.
  const directories = entries
    .sort()
    .reverse()
    .map((name) => join(folder, name));
  const newest = directories.filter((directory) => existsSync(join(directory, 'manifest.json')));
  if (entries.includes(word)) return join(folder, word);
  if (word === 'latest') return newest[0] ?? path;
  for (const directory of newest) {
    const tags = await tagsOf(directory).catch(() => undefined);
    if (tags?.includes(word)) return directory;
  }
  return path;
}

/** Of a run of ours; its trials are not read for it. */
async function tagsOf(directory: string): Promise<readonly string[] | undefined> {
  await assertOwnRun(directory);
  return (await readManifest(directory)).manifest.tags;
}
