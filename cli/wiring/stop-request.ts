import { interruptedCode } from '../exit-codes.js';
import type { StopSignal, ToolProcess } from '../process.js';

/**
 * The first Ctrl-C (or SIGTERM, SIGHUP) asks for a clean end. A second one ends the process at once: its children
 * notice, because their control pipe and standard input close with it. `signal` aborts at the first.
 */
export function listenForStop(tool: ToolProcess, say: (text: string) => void, exitCode: number) {
  const abort = new AbortController();
  const stopListening = tool.onStopSignal((signal: StopSignal) => {
    if (abort.signal.aborted) {
      tool.exitNow(exitCode);
      return;
    }
    say(`${signal}: stopping; what was measured is kept. Again to stop at once.`);
    abort.abort(new Error(`interrupted by ${signal}`));
  });
  return { signal: abort.signal, close: stopListening };
}

/** Work that a signal ends early: then what `stopped` is, and no error of what was ended. */
export async function unlessStopped<Result, Stopped>(
  tool: ToolProcess,
  stopped: Stopped,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Stopped> {
  const stop = listenForStop(tool, (text) => tool.stderr.write(`${text}\n`), interruptedCode);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return stopped;
    throw error;
  } finally {
    stop.close();
  }
}
