import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { atMost, unlessAborted, within } from '../../host/bounded-wait.js';
import { childEnvironment } from '../../host/child-environment.js';
import { type ChildEnd, endOf, howItEnded, onLines } from '../../host/child-processes.js';
import { killNow } from '../../host/processes.js';
import { linkError } from './run-command.js';

const readyWithinMs = 20_000;
const answerWithinMs = 20_000;
const endsWithinMs = 3000;
const linesKept = 30;

export const readyWord = 'loadline-ready';
export const doneWord = 'loadline-done';

/**
 * Starts a User-mode Linux whose first process reads `NUMBER FILE`, runs the file, and reports; waits until it says
 * that it is ready. Rejects with E_NETWORK_LINK and its last words, or when `signal` aborts; then it has ended. `run`
 * rejects so, too. `lost` resolves with how it ended, unless `close` ended it; that is idempotent and never rejects.
 */
export async function openUmlConsole(words: readonly string[], signal: AbortSignal) {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: childEnvironment() });
  const exited = endOf(child).then(wordsOf);
  child.stdin.on('error', () => undefined);
  const talk = new Talk(child.stdout, child.stderr, child.stdin, exited);
  let closing = false;
  const close = async (): Promise<void> => {
    closing = true;
    // What the command started is a process namespace that ends with it.
    if (child.pid !== undefined) killNow(child.pid);
    await atMost(endsWithinMs, exited);
  };
  try {
    await unlessAborted(signal, talk.expect(readyWord, readyWithinMs));
  } catch (error) {
    await close();
    throw error;
  }
  const lost = new Promise<string>((resolve) => {
    void exited.then((how) => {
      if (!closing) resolve(`the User-mode Linux that shapes it ${how}`);
    });
  });
  return { pid: child.pid ?? 0, run: (script: string) => talk.run(script), lost, close };
}

class Talk {
  private readonly said: string[] = [];
  private readonly waiting = new Map<string, (line: string) => void>();
  private number = 0;
  private hasPanicked = false;
  private panic: (why: string) => void = () => undefined;
  /** A kernel that panics does not end by itself where it is alone in a process namespace. */
  private readonly panicked = new Promise<string>((resolve) => {
    this.panic = resolve;
  });

  constructor(
    stdout: Readable,
    stderr: Readable,
    private readonly stdin: Writable,
    private readonly exited: Promise<string>,
  ) {
    onLines([stdout, stderr], (line) => this.hear(line));
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
  async expect(start: string, withinMs: number): Promise<string> {
    const heard = new Promise<string>((resolve) => this.waiting.set(start, resolve));
    const gone = this.exited.then((how) => Promise.reject(this.failure(`User-mode Linux ${how}`)));
    const late = () => this.failure(`no answer in ${withinMs / 1000} s`);
    try {
      const stopped = this.panicked.then((why) => Promise.reject(this.failure(why)));
      return await within(withinMs, Promise.race([heard, gone, stopped]), late);
    } finally {
      this.waiting.delete(start);
    }
  }

  private hear(line: string): void {
    const heard = [...this.waiting].find(([start]) => line === start || line.startsWith(`${start} `));
    if (heard) heard[1](line);
    else if (line.startsWith('Kernel panic')) {
      // What follows are addresses.
      this.hasPanicked = true;
      this.panic(`it stopped: ${line.replace(/^Kernel panic - not syncing: /, '')}`);
    } else if (this.said.length < linesKept && line !== '' && !this.hasPanicked) this.said.push(line);
  }

  private failure(why: string): Error {
    const words = this.said.length === 0 ? '' : `; it said: ${this.said.slice(-3).join('; ')}`;
    return linkError('User-mode Linux', `${why}${words}`);
  }
}

function wordsOf(end: ChildEnd): string {
  return end.kind === 'killed' ? `was ${howItEnded(end)}` : howItEnded(end);
}
