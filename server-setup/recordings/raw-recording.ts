import { execFile } from 'node:child_process';
import { lchown } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { childEnvironment } from '../../host/child-environment.js';
import { isRoot } from '../../host/is-root.js';
import { isFolderOpenToAll } from '../../host/open-to-all.js';
import { recordingFolders } from '../../host/recording-folders.js';
import { removeFolder } from '../../host/remove-folder.js';
import { nobody, notFoundStatus, unprivilegedWords } from '../../host/unprivileged.js';
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

/** Undefined where it went well; else a sentence part, and whether it is only that the program is not there. */
type Conversion = { readonly detail: string; readonly withoutTool: boolean } | undefined;

const withinMs = 120_000;
/** It copies packets, and keeps a list of them. */
const bounds = { cpuSeconds: 120, memoryBytes: 4 * 2 ** 30 };

/**
 * Makes `path` of it. It is copied and converted in a folder of ours, since others may put links into the one where it
 * lies, and what came of it is then moved there. Rejects on abort, and when the disk of this host refuses.
 */
export async function converted(raw: RawRecording, path: string, signal: AbortSignal): Promise<Conversion> {
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

function convert(
  { path: from, converter, install }: RawRecording,
  path: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Conversion> {
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = [...words, converter, from, path];
    const child = execFile(
      program,
      args,
      // A program that was broken into heeds no SIGTERM.
      { cwd: '/', env: childEnvironment(), timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: 64 << 20, signal },
      (error, _, stderr) => {
        if (!error) return resolve(undefined);
        const { code } = error;
        if (String(code) === 'ABORT_ERR') {
          // Node has sent SIGTERM, whatever `killSignal` is.
          child.kill('SIGKILL');
          return reject(error);
        }
        if (String(code) === 'ENOENT' || code === notFoundStatus)
          return resolve({ withoutTool: true, detail: `${converter} is not installed (${install})` });
        const said = stderr.trim().split('\n').at(-1) || error.message;
        resolve({ withoutTool: false, detail: `cannot be converted by ${converter}: ${said}` });
      },
    );
    if (child.pid !== undefined) yieldToOthers(child.pid);
  });
}

/** Nobody waits for it; somebody may measure on this host. */
export function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // ESRCH: it has ended already.
  }
}
