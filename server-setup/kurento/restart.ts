import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../../model/errors.js';

const retryMs = 100;

export interface Restart<T> {
  /** What starts the server anew, for `sh -c`. It must return. */
  readonly command: string;
  /** Command and coming back together. */
  readonly withinMs: number;
  /** Connects to the server; rejects while it is not back. */
  readonly connect: (signal: AbortSignal) => Promise<T>;
}

/** Runs the command, then connects until it works. Rejects with E_NOT_CLEAN when it fails or takes too long. */
export async function restart<T>({ command, withinMs, connect }: Restart<T>, signal: AbortSignal): Promise<T> {
  const endsAtMs = performance.now() + withinMs;
  const how = await runShell(command, withinMs, signal);
  signal.throwIfAborted();
  if (how !== undefined) throw notBack(command, `the command ${how}`);
  for (;;) {
    try {
      return await connect(signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof LoadlineError ? (error.why ?? error.message) : String(error);
      if (performance.now() + retryMs > endsAtMs) throw notBack(command, `${withinMs / 1000} s later: ${why}`);
    }
    await pause(retryMs, undefined, { signal });
  }
}

/** How the command failed; `undefined` when it did not. */
async function runShell(command: string, withinMs: number, signal: AbortSignal): Promise<string | undefined> {
  // A group of its own: Ctrl-C is for us, not for a server that the command leaves in the background. What it prints goes
  // nowhere, because such a server would die of a pipe that we close.
  const child = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    const end = (how: string | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(how);
    };
    const stop = (how: string): void => {
      killGroup(child);
      end(how);
    };
    const onAbort = (): void => stop('was interrupted');
    const timer = setTimeout(() => stop(`did not return in ${withinMs / 1000} s`), withinMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('error', (error) => end(`could not be started: ${error.message}`));
    child.once('exit', (code, by) => end(code === 0 ? undefined : `ended with ${by ?? `code ${code}`}`));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended just now.
  }
}

function notBack(command: string, why: string): LoadlineError {
  return new LoadlineError('E_NOT_CLEAN', 'The media server did not come back from its restart.', {
    where: `--reset-command ${JSON.stringify(command)}`,
    why,
    todo: 'run the command by hand: it must return, and the server must then accept connections',
  });
}
