import { join } from 'node:path';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError } from '../../model/errors.js';
import { type MonitorEntry, monitorEntrySchema } from '../../model/monitor.js';
import { plainCopy } from '../../model/plain-text.js';
import { DurableLines } from '../run-directory/durable-lines.js';
import { readLines } from '../run-directory/json-lines.js';
import { storeError } from '../run-directory/store-error.js';

/** Within the folder that holds the runs of a monitor. */
export const monitorFolder = 'monitor';
const journalName = 'journal.jsonl';

/** What a monitor wrote down, and goes on writing: each entry is safe on disk when its write resolves. */
export interface MonitorJournal {
  /** In the order of time, those of earlier starts included. */
  readonly entries: readonly MonitorEntry[];
  /** Rejects with E_DISK_FULL or E_OUT; the entry is kept in memory all the same. */
  write(entry: MonitorEntry): Promise<void>;
  close(): Promise<void>;
}

/** Opens or begins the journal in a folder of runs. Cuts a torn end off. Rejects: E_OUT, E_DISK_FULL, E_RUN. */
export async function openMonitorJournal(out: string): Promise<MonitorJournal> {
  const folder = join(out, monitorFolder);
  const path = join(folder, journalName);
  const lines = await Promise.resolve()
    .then(() => makeFolders(folder))
    .then(() => DurableLines.open(path))
    .catch((error: unknown) => {
      throw storeError(error, folder, 'the journal of the monitor cannot be opened');
    });
  const entries = [...(await readMonitorJournal(out))];
  return {
    entries,
    write: async (entry) => {
      entries.push(entry);
      await lines.append(entry).catch((error: unknown) => {
        throw storeError(error, path, 'an entry of the monitor could not be written');
      });
    },
    close: () => lines.close(),
  };
}

/** Entries of kinds that a later version adds are passed over. Throws E_RUN for a line that was changed by hand. */
export async function readMonitorJournal(out: string): Promise<readonly MonitorEntry[]> {
  const path = join(out, monitorFolder, journalName);
  const { values, damagedLine } = await readLines(path);
  if (damagedLine !== undefined) throw damaged(`${path}:${damagedLine}`, 'it is not JSON');
  return values.flatMap((value, index) => {
    const read = monitorEntrySchema.safeParse(plainCopy(value));
    if (read.success) return [read.data];
    if (!isKnownType(value)) return [];
    const issue = read.error.issues[0];
    throw damaged(`${path}:${index + 1}`, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  });
}

function isKnownType(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return true;
  return ['run', 'alert', 'told', 'missed', 'note'].includes(String(value.type));
}

function damaged(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', 'The journal of the monitor cannot be understood.', {
    where,
    why,
    todo: 'the line was changed after it was written; correct it, or move the file away to begin anew',
  });
}
