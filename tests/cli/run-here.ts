import { runCommandLine } from '../../cli/command-line.js';
import { type FakeProcessOptions, fakeProcess } from './fake-process.js';
import type { Ended } from './run-loadline.js';

/**
 * The command line to its end, in this process: to start one of its own takes half a second and more. For what does not
 * depend on the process itself: real streams, signals and kills.
 */
export async function runHere(args: readonly string[], options: Omit<FakeProcessOptions, 'args'> = {}): Promise<Ended> {
  const tool = fakeProcess({ ...options, args });
  const exitCode = await runCommandLine(tool);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}

/** What Node itself reads of the environment, each time that it is asked for a folder. */
const readByNode = ['TMPDIR', 'HOME'] as const;

/**
 * The same with an environment that Node's own functions see, too. A test process runs one test at a time, so nobody
 * else sees it.
 */
export async function runHereIn(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
  const before = readByNode.map((name) => [name, process.env[name]] as const);
  try {
    for (const name of readByNode) put(name, env[name] ?? process.env[name]);
    return await runHere(args, { env: { PATH: process.env.PATH ?? '', ...env } });
  } finally {
    for (const [name, value] of before) put(name, value);
  }
}

function put(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
