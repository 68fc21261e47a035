import { spawn } from 'node:child_process';
import { saidBy } from '../../host/child-processes.js';
import { LoadlineError } from '../../model/errors.js';

const boundMs = 20_000;
const mostOutput = 100_000;

interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, 20 s at most, with `input` as standard input. Never rejects. */
export function tryCommand(words: readonly string[], input = ''): Promise<CommandResult> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: boundMs, killSignal: 'SIGKILL' });
    const [stdout, stderr] = [saidBy(child.stdout, mostOutput), saidBy(child.stderr, mostOutput)];
    child.on('error', (error) => resolve({ code: null, stdout: stdout(), stderr: error.message }));
    child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
    // A program that ends before it has read its input is known by its exit.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The same, and a failure rejects with E_NETWORK_LINK and what was said. */
export async function runCommand(words: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(words, input);
  if (code === 0) return stdout;
  throw linkError(words.join(' '), `${stderr} ${stdout}`.trim() || `it ended with ${code ?? 'no exit code'}`);
}

export function linkError(where: string, why: string): LoadlineError {
  return new LoadlineError('E_NETWORK_LINK', 'The impaired link could not be made.', {
    where,
    why: why.replace(/\s+/g, ' ').slice(0, 600),
    todo: 'see loadline doctor; leave --network out to measure without it',
  });
}
