import { lchown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRoot } from '../../host/is-root.js';
import { isFolderOpenToAll } from '../../host/open-to-all.js';
import { recordingFolders } from '../../host/recording-folders.js';
import { removeFolder } from '../../host/remove-folder.js';
import { nobody, unprivilegedWords } from '../../host/unprivileged.js';
import { readRecording } from './read-recording.js';
import { copyRegular, moveFile, removeRecorded } from './shelf-folder.js';

/** What a server writes in a form of its own, and what makes a file of it that players know. */
export interface RawRecording {
  readonly path: string;
  /** Takes the two paths as its last arguments. */
  readonly converter: string;
  readonly install: string;
  /** Copies it without what the end of the recording has cut in two; absent: nothing can be cut. */
  readonly copyWhole?: (from: string, to: string) => Promise<void>;
}

/** It copies packets, and keeps a list of them. */
const bounds = { cpuSeconds: 120, memoryBytes: 4 * 2 ** 30 };

/**
 * Makes `path` of it. It is copied and converted in a folder of ours, since others may put links into the one where it
 * lies, and what came of it is then moved there. Returns what is wrong, a sentence part; undefined where it went well.
 * Rejects as `readRecording`, and when the disk of this host refuses.
 */
export async function converted(raw: RawRecording, path: string, signal: AbortSignal): Promise<string | undefined> {
  const own = await recordingFolders.make(tmpdir());
  const [copy, made] = [join(own, 'copy'), join(own, basename(path))];
  try {
    await (raw.copyWhole ?? copyRegular)(raw.path, copy);
    const words = await wordsIn(own, copy);
    const failed = await convert({ ...raw, path: copy }, made, words, signal);
    if (failed) return failed;
    if (words.length > 0 && isRoot()) await give(made, 0, 0);
    // A folder may be there, which no file takes the place of.
    await removeRecorded(path);
    await moveFile(made, path);
    return undefined;
  } finally {
    await removeFolder(own);
  }
}

/** In front of a converter, which reads what a server chose: root's is nobody, and has nothing but this folder. */
async function wordsIn(folder: string, copy: string): Promise<readonly string[]> {
  if (!isRoot()) return unprivilegedWords(bounds);
  const isOpen = await isFolderOpenToAll(dirname(folder)).catch(() => false);
  const words = isOpen ? await unprivilegedWords(bounds) : [];
  const { uid, gid } = await nobody();
  if (words.length > 0) for (const place of [copy, folder]) await give(place, uid, gid);
  return words;
}

/** What is not there is found so by whoever reads it. */
async function give(path: string, uid: number, gid: number): Promise<void> {
  await lchown(path, uid, gid).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function convert(
  { path: from, converter, install }: RawRecording,
  path: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = { words, program: converter, args: [from, path], install };
  const { stderr, error } = await readRecording(reader, { signal });
  if (!error) return undefined;
  const said = stderr.trim().split('\n').at(-1) || error.message;
  return `cannot be converted by ${converter}: ${said}`;
}
