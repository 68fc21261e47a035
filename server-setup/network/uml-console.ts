import { spawn } from 'node:child_process';
import { kill } from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { linkError } from './run-command.js';

const readyWithinMs = 20_000;
const answerWithinMs = 20_000;
const endsWithinMs = 3000;
const linesKept = 30;

export const readyWord = 'loadline-ready';
export const doneWord = 'loadline-done';

/** The console of a User-mode Linux whose first process reads `NUMBER FILE` lines, runs the file, and says how it ended. */
export interface UmlConsole {
  readonly pid: number;
  /** Runs a shell script, by its absolute path. Rejects with E_NETWORK_LINK and what was said. */
  run(script: string): Promise<void>;
  /** Resolves with how it ended, unless `close` ended it. */
  readonly lost: Promise<string>;
  /** Idempotent, never rejects. */
  close(): Promise<void>;
}

/**
 * Starts the command and waits until it says that it is ready. Rejects with E_NETWORK_LINK and its last words, or when
 * `signal` aborts; then it has ended.
 */
export async function openUmlConsole(words: readonly string[], signal: AbortSignal): Promise<UmlConsole> {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, by) => resolve(by === null ? `ended with code ${code}` : `was ended by ${by}`));
  });
  child.stdin.on('error', () => undefined);
  const talk = new Talk(child.stdout, child.stderr, child.stdin, exited);
  let closing = false;
  const close = async (): Promise<void> => {
    closing = true;
    try {
      // What the command started is a process namespace that ends with it.
      if (child.pid !== undefined) kill(child.pid, 'SIGKILL');
    } catch {
      // ESRCH: it has ended.
    }
    await Promise.race([exited, wait(endsWithinMs)]);
  };
  try {
    await talk.expect(readyWord, readyWithinMs, signal);
  } catch (error) {
    await close();
    throw error;
  }
  const lost = new Promise<string>((resolve) => {
    void exited.then((how) => {
      if (!closing) resolve(`the User-mode Linux that shapes it ${how}`);
    });
  });
  return { pid: child.pid ?? 0, run: (script) => talk.run(script), lost, close };
}

class Talk {
  private readonly said: string[] = [];
  private readonly waiting = new Map<string, (line: string) => void>();
  private number = 0;

  constructor(
    stdout: Readable,
    stderr: Readable,
    private readonly stdin: Writable,
    private readonly exited: Promise<string>,
  ) {
    for (const stream of [stdout, stderr])
      createInterface({ input: stream }).on('line', (line) => this.hear(line.trim()));
  }

  async run(script: string): Promise<void> {
    this.number += 1;
    const { number } = this;
    this.said.length = 0;
    const answer = this.expect(`${doneWord} ${number}`, answerWithinMs);
    this.stdin.write(`${number} ${script}\n`);
    const code = (await answer).split(' ').at(2);
    if (code !== '0') throw linkError(`tc in User-mode Linux, code ${code}`, this.said.slice(0, 5).join('; '));
  }

  /** The first line from now on that begins so. */
  async expect(start: string, withinMs: number, signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const heard = new Promise<string>((resolve) => this.waiting.set(start, resolve));
    const abort = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: abort.signal });
    });
    const gone = this.exited.then((how) => Promise.reject(this.failure(`User-mode Linux ${how}`)));
    gone.catch(() => undefined);
    const late = wait(withinMs, abort.signal).then(() =>
      Promise.reject(this.failure(`no answer in ${withinMs / 1000} s`)),
    );
    late.catch(() => undefined);
    try {
      return await Promise.race([heard, aborted, gone, late]);
    } finally {
      abort.abort();
      this.waiting.delete(start);
    }
  }

  private hear(line: string): void {
    const heard = [...this.waiting].find(([start]) => line === start || line.startsWith(`${start} `));
    if (heard) heard[1](line);
    else if (this.said.length < linesKept && line !== '') this.said.push(line);
  }

  private failure(why: string): Error {
    const words = this.said.length === 0 ? '' : `; it said: ${this.said.slice(-5).join('; ')}`;
    return linkError('User-mode Linux', `${why}${words}`);
  }
}

/** Resolves at the end of the time; never when called off. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
