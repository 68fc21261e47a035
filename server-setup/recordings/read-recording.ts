import { type ExecFileException, execFile } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { pipeline } from 'node:stream';
import { childEnvironment } from '../../host/child-environment.js';
import { notFoundStatus } from '../../host/unprivileged.js';

/** Nothing is known of the file. The message is a sentence part: "ffprobe is not installed (…)". */
export class NotChecked extends Error {}

/** A program that reads what a server has recorded. */
interface Reader {
  /** In front of it, for it to run without rights; empty: nothing. */
  readonly words: readonly string[];
  readonly program: string;
  readonly args: readonly string[];
  /** What installs it. */
  readonly install: string;
  /** What it gets on its standard input; absent: nothing. */
  readonly input?: FileHandle;
}

export interface ReadingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
}

const usualWithinMs = 120_000;
/** Rows of some 60 bytes: those of two hours. */
const outputBytesMax = 64 << 20;

/**
 * What the program printed, and the error that it ended with, if it did. Rejects on abort, and with {@link NotChecked}
 * when it is not here, or did not end in time: it yields to others, so a busy host may hold it up.
 */
export function readRecording(
  { words, program, args, install, input }: Reader,
  { signal, withinMs = usualWithinMs }: ReadingOptions,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly error: Error | null }> {
  const [first = '', ...others] = [...words, program, ...args];
  // A program that was broken into heeds no SIGTERM.
  const killSignal = 'SIGKILL';
  const bounds = {
    cwd: '/',
    env: childEnvironment(),
    maxBuffer: outputBytesMax,
    timeout: withinMs,
    killSignal,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(first, others, { ...bounds, signal }, (error, stdout, stderr) => {
      const code: unknown = error?.code;
      if (error && code === 'ABORT_ERR') {
        // Node has sent SIGTERM, whatever `killSignal` is.
        child.kill(killSignal);
        reject(error);
      } else if (code === 'ENOENT' || code === notFoundStatus) {
        reject(new NotChecked(`${program} is not installed (${install})`));
      } else if (error && isOutOfTime(error)) {
        reject(new NotChecked(`${program} did not end within ${withinMs / 1000} s`));
      } else resolve({ stdout, stderr, error });
    });
    if (child.pid !== undefined) yieldToOthers(child.pid);
    // One that ends early does not read the rest.
    if (input && child.stdin) pipeline(input.createReadStream({ autoClose: false }), child.stdin, () => undefined);
  });
}

const isOutOfTime = ({ killed, code }: ExecFileException): boolean => killed === true && code === null;

/** Somebody else may measure on this host. The trial waits for it, so it is not put behind everything else. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // ESRCH: it has ended already.
  }
}
