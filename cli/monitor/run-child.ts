import { type ChildProcess, spawn } from 'node:child_process';
import { type ChildEnd, endOf, howItEnded, saidBy, signalGroup } from '../../host/child-processes.js';
import { endWithStdin, type ToolProcess } from '../process.js';

export type EndedRun = Awaited<ReturnType<typeof runChild>>;

const stdoutMost = 50_000_000;
/** Of what it says there, the last. */
const stderrMost = 8000;
/** A run that is asked to end leaves, resets and stores first. */
const graceMs = 60_000;

/**
 * Starts Loadline again with other arguments, and waits for its end. In a process group of its own, so that Ctrl-C in
 * the terminal reaches the monitor alone, which then asks the run to end, once. The run ends by itself when its
 * standard input closes, so that it does not outlive a monitor that was killed.
 */
export async function runChild(tool: ToolProcess, args: readonly string[], withinMs: number, signal: AbortSignal) {
  const [program = '', ...first] = tool.selfCommand;
  const child = spawn(program, [...first, ...args], {
    cwd: tool.workingFolder,
    env: { ...tool.env, [endWithStdin]: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const [stdout, stderr] = [saidBy(child.stdout, stdoutMost), saidBy(child.stderr, stderrMost, 'last')];
  return { ...(await ended(child, withinMs, signal)), stdout: stdout(), stderr: stderr(), withinMs };
}

/** Its exit code if it had one; how it ended, "ended with 4"; and whether it was ended because it took too long. */
async function ended(child: ChildProcess, withinMs: number, signal: AbortSignal) {
  let late = false;
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    killing ??= setTimeout(() => signalGroup(child.pid), graceMs);
  };
  const bound = setTimeout(() => {
    late = true;
    stop();
  }, withinMs);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const end = await endOf(child, 'close');
    return { ...(end.kind === 'exited' ? { exitCode: end.code } : {}), how: wordsOf(end), late };
  } finally {
    clearTimeout(bound);
    clearTimeout(killing);
    signal.removeEventListener('abort', stop);
    child.stdin?.destroy();
  }
}

function wordsOf(end: ChildEnd): string {
  if (end.kind === 'not-started') return `did not start (${end.why})`;
  return end.kind === 'exited' ? `ended with ${end.code}` : howItEnded(end);
}
