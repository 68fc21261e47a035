import { execFile } from 'node:child_process';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { recordingFolders } from '../../host/recording-folders.js';
import { removeFolder } from '../../host/remove-folder.js';
import { copyRegular, moveFile } from './shelf-folder.js';

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
export type Conversion = { readonly detail: string; readonly withoutTool: boolean } | undefined;

const withinMs = 120_000;

/**
 * Makes `path` of it. It is copied and converted in a folder of ours, since others may put links into the one where it lies, and what came
 * of it is then moved there. Rejects on abort, and when the disk of this host refuses.
 */
export async function converted(raw: RawRecording, path: string, signal: AbortSignal): Promise<Conversion> {
  const own = await recordingFolders.make(tmpdir());
  const [copy, made] = [join(own, 'copy'), join(own, basename(path))];
  try {
    await (raw.copyWhole ?? copyRegular)(raw.path, copy);
    const failed = await convert({ ...raw, path: copy }, made, signal);
    if (!failed) await moveFile(made, path);
    return failed;
  } finally {
    await removeFolder(own);
  }
}

function convert(
  { path: from, converter, install }: RawRecording,
  path: string,
  signal: AbortSignal,
): Promise<Conversion> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      converter,
      [from, path],
      { timeout: withinMs, maxBuffer: 64 << 20, signal },
      (error, _, stderr) => {
        if (!error) return resolve(undefined);
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ABORT_ERR') return reject(error);
        if (code === 'ENOENT')
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
