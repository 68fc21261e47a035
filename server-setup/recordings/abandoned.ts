import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { isRunning } from '../process-running.js';

const prefix = 'loadline-recordings-';

/** A folder for recorded files, named after this process. */
export function makeRecordingsFolder(parent: string): Promise<string> {
  return mkdtemp(join(parent, `${prefix}${ownPid}-`));
}

/** Removes the recordings of processes that ended without doing so. Returns the folders' paths. Never rejects. */
export async function removeAbandonedRecordings(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch((): string[] => []);
  const abandoned = names.filter(isAbandoned).map((name) => join(parent, name));
  for (const folder of abandoned) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  return abandoned;
}

function isAbandoned(name: string): boolean {
  const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
  return Number.isInteger(owner) && owner > 0 && !isRunning(owner);
}
