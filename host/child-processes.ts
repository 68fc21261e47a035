import type { ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Signals a process that was started `detached`, and with it the group that it leads: all that it has started itself.
 * Also when it has ended meanwhile, because those may be left. Nothing happens when none is left.
 */
export function signalGroup(leader: number | undefined, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  // Of a child that could not be started; and a group of 0 or 1 would be ours, or everything (kill(2)).
  if (leader === undefined || leader <= 1) return;
  try {
    kill(-leader, signal);
  } catch {
    // ESRCH: nothing of the group is left, which is what was wanted.
  }
}

/** How a child ended, or why it did not begin. */
export type ChildEnd =
  | { readonly kind: 'not-started'; readonly why: string }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** Resolves when the process has ended. With `closed`: when its output has been read to the end, too. */
export function endOf(child: ChildProcess, event: 'exit' | 'close' = 'exit'): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', why: error.message }));
    child.once(event, (code: number | null, signal: NodeJS.Signals | null) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }),
    );
  });
}

/** "ended by SIGKILL", "exited with code 3". */
export function howItEnded(end: ChildEnd): string {
  switch (end.kind) {
    case 'not-started':
      return `could not be started: ${end.why}`;
    case 'exited':
      return `exited with code ${end.code}`;
    case 'killed':
      return `ended by ${end.signal}`;
  }
}

/** Calls back with each line, without the spaces around it. */
export function onLines(streams: readonly Readable[], listener: (line: string) => void): void {
  for (const stream of streams) createInterface({ input: stream }).on('line', (line) => listener(line.trim()));
}

/** The first result of `read` for a line. Never rejects; pending for good when there is none. */
export function lineOf<T>(stream: Readable, read: (line: string) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    onLines([stream], (line) => {
      const value = read(line);
      if (value !== undefined) resolve(value);
    });
  });
}

/** What a stream has said so far: the first so many characters of it, or the last. */
export function saidBy(stream: Readable, most: number, which: 'first' | 'last' = 'first'): () => string {
  let said = '';
  stream.on('data', (chunk: Buffer) => {
    if (which === 'last') said = (said + String(chunk)).slice(-most);
    else if (said.length < most) said = (said + String(chunk)).slice(0, most);
  });
  return () => said;
}
