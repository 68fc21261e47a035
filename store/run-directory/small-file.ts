import { open } from 'node:fs/promises';
import { LoadlineError } from '../../model/errors.js';
import { Kept, tooMuch } from './run-bounds.js';

/** Manifest, result and mark have some 20 kB; a result names each trial and why it failed. */
const mostBytes = 8 << 20;
const mostKept = 64_000_000;

/** Text of a file that is read whole. Rejects as `open`, and with E_RUN if larger than any that Loadline writes. */
export async function smallText(path: string, most = mostBytes): Promise<string> {
  return new Kept(path, mostKept).add((await smallFile(path, most)).toString('utf8'));
}

/** The same of its bytes; no more than so many are ever read, whatever the file grows to meanwhile. */
export async function smallFile(path: string, most: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > most) throw tooMuch(path, `it has ${size} bytes, and ${most} are the most`);
    const bytes = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** For a file that may be missing: one that is too large is told all the same. */
export function undefinedWhenUnread(error: unknown): undefined {
  if (error instanceof LoadlineError) throw error;
  return undefined;
}

/** A stored file holds not what was written. `where` is relative to the run directory, with a line if any. */
export function changedFile(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', `${where} of the stored run was changed after it was written.`, {
    where,
    why,
    todo: 'put the file back from a copy, or run again; nothing is said of a run that was changed',
  });
}
