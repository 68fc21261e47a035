/** The only file that touches the process: arguments, environment, streams, signals, exit. Tests pass a fake. */
import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { openMessagePipe, pipeDescriptor } from '../host/message-pipe.js';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Output {
  readonly isTty: boolean;
  readonly columns: number;
  write(text: string): void;
  /** Resolves when what was written has been taken, or nobody reads any more; absent where writing is instant. */
  drained?(): Promise<void>;
}

/** Why a run is asked to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface ToolProcess {
  /** Without node and the script. */
  readonly args: readonly string[];
  readonly env: Env;
  /** Absolute. */
  readonly workingFolder: string;
  /** Starts this tool again as a child. */
  readonly selfCommand: readonly string[];
  readonly nodeVersion: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back on each signal that asks for an end; the returned function stops listening. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void;
  /** Calls back whenever something comes on standard input. */
  onStdinData(listener: (said: Buffer) => void): void;
  /** Calls back once when standard input ends. */
  onStdinEnd(listener: () => void): void;
  /** Ends the process at once. */
  exitNow(code: number): void;
  /** The same with last words, called by a debugger in the middle of what never ends. */
  exitStuck(text: string, code: number): void;
}

/** Set for runs of a monitor: they end when their standard input does, as it does when the monitor is killed. */
export const endWithStdin = 'LOADLINE_END_WITH_STDIN';

const stopSignals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function realProcess(): ToolProcess {
  return {
    args: process.argv.slice(2),
    env: process.env,
    workingFolder: process.cwd(),
    selfCommand: [process.execPath, process.argv[1] ?? ''],
    nodeVersion: process.versions.node,
    stdout: realOutput(process.stdout),
    stderr: realOutput(process.stderr),
    onStopSignal(listener) {
      for (const signal of stopSignals) process.on(signal, listener);
      const ended = () => listener('SIGTERM');
      if (process.env[endWithStdin] === '1') process.stdin.once('close', ended).resume();
      return () => {
        process.stdin.off('close', ended);
        for (const signal of stopSignals) process.off(signal, listener);
      };
    },
    onStdinData(listener) {
      process.stdin.on('data', listener);
    },
    onStdinEnd(listener) {
      process.stdin.once('end', listener).once('close', listener).once('error', listener).resume();
    },
    exitNow(code) {
      process.exit(code);
    },
    exitStuck(text, code) {
      try {
        writeSync(2, text);
        // Node would say there that it waits for the debugger.
        closeSync(2);
      } finally {
        process.exit(code);
      }
    },
  };
}

/** Waits until both streams have drained, then ends the process; with 1 if the answer was not all taken. */
export async function exitWith(code: number, renderLoss: (lost: Error) => string): Promise<never> {
  await flushed(process.stdout);
  // A stream tells of its failure a moment after it gave up.
  await new Promise((resolve) => setImmediate(resolve));
  if (lostOutput) process.stderr.write(renderLoss(lostOutput));
  await flushed(process.stderr);
  process.exit(lostOutput && code === 0 ? 1 : code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.write('', () => resolve());
  });
}

/** What standard output refused: a full disk, most often. */
let lostOutput: Error | undefined;

/**
 * A reader that has gone away (`loadline … | head`) is no failure of the run: what it would have read is dropped. A
 * disk that does not take standard output is one, but no reason to leave a run as it is: it is told at the end, by
 * `exitWith`.
 */
function realOutput(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && stream === process.stdout) lostOutput ??= error;
  });
  return {
    isTty: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
    write(text) {
      if (stream.writable) stream.write(terminalText(text, { isTty: stream.isTTY === true }));
    },
    drained: () => flushed(stream),
  };
}

/** The channel to the process that has started this one as its worker. Ends with it: nobody is left to work for. */
export function channelToParent<Out, In>(): {
  send(message: Out): void;
  onMessage(listener: (message: In) => void): void;
} {
  const pipe = new Socket({ fd: pipeDescriptor }).on('close', () => process.exit(0));
  let listen: (message: In) => void = () => undefined;
  const send = openMessagePipe(pipe, {
    most: Number.POSITIVE_INFINITY,
    onMessage: (message) => listen(message as In),
    onUnreadable: () => process.exit(1),
  });
  // The terminal's Ctrl-C reaches the whole group: whoever started this process ends it, when it has been told to
  // leave.
  for (const signal of stopSignals) process.on(signal, () => undefined);
  return {
    send,
    onMessage: (listener) => {
      listen = listener;
    },
  };
}

/** What this tool writes: colours (ECMA-48, SGR), and in the live view return and erase-line. */
const colour = String.raw`\u001b\[(?:\d{1,2}(?:;\d{1,2})*)?m`;
const line = String.raw`\u001b\[2K|\r`;
/** All other control characters of C0 and C1 but line feed, tab and line ends; and those that turn direction. */
const others = String.raw`[^\P{Cc}\t\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]`;
const forTerminal = new RegExp(`(${colour}|${line})|${others}`, 'gu');
const forPipe = new RegExp(`(${colour}|\\r\\n)|${others}`, 'gu');

/**
 * Text as a terminal or a pipe may get it: a pipe ends in a terminal, too, or in a log. Stored runs come from others: a
 * name in one of them must not set a title, fill a clipboard or ask the terminal for an answer that it would type.
 */
export function terminalText(text: string, { isTty }: { readonly isTty: boolean }): string {
  return text.replace(isTty ? forTerminal : forPipe, (_, kept: string | undefined) => kept ?? '\ufffd');
}
