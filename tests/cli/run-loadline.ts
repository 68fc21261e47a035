import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What starts the built command line. */
export const builtLoadline = [process.execPath, fileURLToPath(new URL('../../dist/loadline.js', import.meta.url))];

/** Runs the built command line to its end, as a user's shell would; a pipe on each stream. */
export function runLoadline(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startLoadline(args, env);
    child.stdin.end();
    child.on('error', reject);
    endOf(child).then(resolve, reject);
  });
}

/** What a started command line has said by its end. */
export function endOf(child: ReturnType<typeof startLoadline>): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, stdout: text(stdout), stderr: text(stderr) }));
  });
}

/**
 * The caches and states of the user who runs the tests are not theirs to read or to fill: clips, calibrations, and what
 * GStreamer knows of its plugins are in a folder of this test process, which goes with it.
 */
let own: Readonly<Record<string, string>> | undefined;

function ownFolders(): Readonly<Record<string, string>> {
  if (own !== undefined) return own;
  const folder = mkdtempSync(join(tmpdir(), 'loadline-user-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  own = { XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') };
  return own;
}

/** The same, left running; the caller ends it. */
export function startLoadline(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [node = '', ...script] = builtLoadline;
  return spawn(node, [...script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LOADLINE_NO_SETUP: '1', ...ownFolders(), ...env },
  });
}
