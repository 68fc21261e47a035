import { readFile } from 'node:fs/promises';
import { LoadlineError } from '../../model/errors.js';

/** Throws E_PLAN where a file that a flag names cannot be read. */
export async function textOfFile(path: string, what: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_PLAN', `The file of ${what} cannot be read.`, {
      where: path,
      why: error instanceof Error ? error.message : String(error),
      todo: 'name a file that is there',
      cause: error,
    });
  });
}
