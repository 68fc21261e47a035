import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const built = fileURLToPath(new URL('../../dist/loadline.js', import.meta.url));

/** Runs the built command line to its end, as a user's shell would; a pipe on each stream. */
export function runLoadline(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startLoadline(args, env);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.end();
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** The same, left running; the caller ends it. */
export function startLoadline(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [built, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LOADLINE_NO_SETUP: '1', ...env },
  });
}
