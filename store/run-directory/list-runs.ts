import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { plainText } from '../../model/plain-text.js';
import type { Manifest, RunResult } from '../../model/run.js';
import { layout } from './layout.js';
import type { StoredRun } from './read-run.js';
import { readError } from './store-error.js';

interface RunCard {
  readonly name: string;
  readonly manifest: Manifest;
  readonly result: RunResult | undefined;
  readonly trials: number;
}

interface RunFolder {
  readonly runs: readonly RunCard[];
  /** Folders with files of a run that cannot be understood. */
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
}

/** A folder's runs by name, which is by time, as `open` reads them. Folders without a run are skipped. E_RUN. */
export async function listRuns(path: string, open: (directory: string) => Promise<StoredRun>): Promise<RunFolder> {
  const folder = resolve(path);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    const todo = 'name the folder that --out was given, or run loadline find first';
    throw readError(error, folder, `${folder} is not a folder with runs.`, todo);
  });
  const runs: RunCard[] = [];
  const unreadable: { name: string; why: string }[] = [];
  for (const name of entries.map((entry) => entry.name).sort()) {
    const directory = join(folder, name);
    try {
      if (!(await holdsPartOfRun(directory))) continue;
      const { manifest, result, records } = await open(directory);
      runs.push({ name, manifest, result, trials: records.length });
    } catch (error) {
      unreadable.push({
        name: plainText(name).replace(/[\n\t]/g, ' '),
        why: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { runs, unreadable };
}

/**
 * A run whose manifest is gone is one that cannot be read, and no folder of something else. Throws for a folder that
 * cannot be looked into: it may hold a run.
 */
async function holdsPartOfRun(directory: string): Promise<boolean> {
  const files = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return [];
    throw error;
  });
  return [layout.manifest, layout.trials, layout.result].some((name) => files.includes(name));
}
