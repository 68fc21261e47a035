import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a whole file or none, that its owner alone can read. It is made new under a name that nobody can guess and
 * renamed over the old one (rename(2)), so that no link that somebody put there is written through. Its content is on
 * disk when this resolves.
 */
export async function writeWholeFile(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const passing = `${path}.${randomUUID()}.new`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(passing, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for await (const piece of pieces) await file.appendFile(piece);
    await file.sync();
    await rename(passing, path);
  } catch (error) {
    await rm(passing, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
