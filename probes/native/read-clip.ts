import { readFile } from 'node:fs/promises';
import { type Clip, unpackClip } from '../page/encoded/clip-file.js';

/** Its frames are views of one buffer, which all probes of a process share. */
export async function readClip(path: string): Promise<Clip> {
  return unpackClip(await readFile(path));
}
