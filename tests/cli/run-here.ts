import { runCommandLine } from '../../cli/command-line.js';
import { type FakeProcessOptions, fakeProcess } from './fake-process.js';
import type { Ended } from './run-loadline.js';

/**
 * The command line to its end, in this process: to start one of its own takes half a second and more. For what does not
 * depend on the process itself: real streams, signals and kills, and the environment that Node itself reads (TMPDIR, HOME).
 */
export async function runHere(args: readonly string[], options: Omit<FakeProcessOptions, 'args'> = {}): Promise<Ended> {
  const tool = fakeProcess({ ...options, args });
  const exitCode = await runCommandLine(tool);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}
