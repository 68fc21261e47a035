import type { Output, StopSignal, ToolProcess } from '../../cli/process.js';

export interface FakeProcess extends ToolProcess {
  readonly written: { readonly stdout: () => string; readonly stderr: () => string };
  /** Every code that `exitNow` was called with. */
  readonly exits: readonly number[];
  raise(signal: StopSignal): void;
  endStdin(): void;
}

export interface FakeProcessOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
  /** What starts the tool again; absent: nothing that could be started. */
  readonly selfCommand?: readonly string[];
  readonly terminal?: boolean;
}

/** A process made of memory: what is written is kept, signals are raised by the test. */
export function fakeProcess(options: FakeProcessOptions = {}): FakeProcess {
  const stdout = fakeOutput(options.terminal === true);
  const stderr = fakeOutput(options.terminal === true);
  const signalListeners = new Set<(signal: StopSignal) => void>();
  const stdinListeners = new Set<() => void>();
  const exits: number[] = [];
  return {
    args: options.args ?? [],
    // What was calibrated on the machine that runs the tests must not show in them, and nothing may be left on it:
    // below a device nobody can make a folder, root neither. A test that keeps something names folders of its own.
    env: { XDG_STATE_HOME: '/dev/null/state', XDG_CACHE_HOME: '/dev/null/cache', ...options.env },
    workingFolder: options.workingFolder ?? '/',
    selfCommand: options.selfCommand ?? ['node', 'loadline.js'],
    nodeVersion: '20.19.0',
    stdout,
    stderr,
    written: { stdout: stdout.text, stderr: stderr.text },
    exits,
    onStopSignal(listener) {
      signalListeners.add(listener);
      return () => signalListeners.delete(listener);
    },
    onStdinData: () => undefined,
    onStdinEnd: (listener) => stdinListeners.add(listener),
    exitNow: (code) => exits.push(code),
    exitStuck: (text, code) => {
      stderr.write(text);
      exits.push(code);
    },
    raise: (signal) => {
      for (const listener of signalListeners) listener(signal);
    },
    endStdin: () => {
      for (const listener of stdinListeners) listener();
    },
  };
}

function fakeOutput(isTty: boolean): Output & { readonly text: () => string } {
  let text = '';
  return {
    isTty,
    columns: 80,
    text: () => text,
    write(more) {
      text += more;
    },
  };
}
