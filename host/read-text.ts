import { readFile } from 'node:fs/promises';

/** The text of a file of the kernel, such as those of proc(5); empty for what is not there or cannot be read. */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
