import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost, unlessAborted } from '../host/bounded-wait.js';
import { type ChildEnd, endOf, howItEnded, signalGroup } from '../host/child-processes.js';
import { LoadlineError } from '../model/errors.js';

const retryMs = 100;

interface Restart<T> {
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
  // A group of its own: Ctrl-C is for us, not for a server that the command leaves in the background. What it prints
  // goes nowhere, because such a server would die of a pipe that we close.
  const child = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
  const ended = endOf(child).then(failureOf);
  try {
    const waited = await unlessAborted(signal, atMost(withinMs, ended));
    if (waited.inTime) return waited.value;
  } catch {
    signalGroup(child.pid);
    return 'was interrupted';
  }
  signalGroup(child.pid);
  return `did not return in ${withinMs / 1000} s`;
}

function failureOf(end: ChildEnd): string | undefined {
  if (end.kind === 'not-started') return howItEnded(end);
  if (end.kind === 'killed') return `ended with ${end.signal}`;
  return end.code === 0 ? undefined : `ended with code ${end.code}`;
}

function notBack(command: string, why: string): LoadlineError {
  return new LoadlineError('E_NOT_CLEAN', 'The media server did not come back from its restart.', {
    where: `--reset-command ${JSON.stringify(command)}`,
    why,
    todo: 'run the command by hand: it must return, and the server must then accept connections',
  });
}
