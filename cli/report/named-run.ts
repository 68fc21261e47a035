import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ToolProcess } from '../process.js';
import { openRun } from './open-run.js';

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
    const run = await openRun(directory).catch(() => undefined);
    if (run?.manifest.tags?.includes(word)) return directory;
  }
  return path;
}
