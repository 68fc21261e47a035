import { spawn } from 'node:child_process';
import { signalGroup } from '../../host/child-processes.js';
import { LoadlineError } from '../../model/errors.js';
import type { AskedPlacement, Candidate } from './placement.js';

const boundMs = 5000;
const mostOutput = 10_000;

/**
 * The user's own command says where each session goes: it gets `{ session, servers }` as JSON on its standard input and writes the
 * name of a server. Rejects with E_SERVER_REFUSED where it fails, names none of them, or takes longer than 5 s; the session is
 * refused then, as by a balancer that fails.
 */
export function askedPlacer(command: string, withinMs = boundMs): AskedPlacement {
  return async (session, candidates) => {
    const said = (await answerOf(command, JSON.stringify({ session, servers: candidates }), withinMs)).trim();
    const index = candidates.findIndex(({ name }) => name === said);
    if (index >= 0) return index;
    throw refused(
      command,
      `it wrote ${said === '' ? 'nothing' : `"${said.slice(0, 200)}"`}, and the servers are ${namesOf(candidates)}`,
    );
  };
}

function answerOf(command: string, input: string, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    let [stdout, stderr] = ['', ''];
    let isLate = false;
    // The whole group, or what the shell has started would stay.
    const timer = setTimeout(() => {
      isLate = true;
      signalGroup(child.pid);
    }, withinMs);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + String(chunk)).slice(0, mostOutput);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + String(chunk)).slice(-mostOutput);
    });
    // A command that does not read its input closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${input}\n`);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(refused(command, `it did not start: ${error.message}`));
    });
    child.on('close', (code, how) => {
      clearTimeout(timer);
      if (code === 0) resolve(stdout);
      else if (isLate) reject(refused(command, `it took longer than ${withinMs / 1000} s`));
      else reject(refused(command, `it ended with ${how ?? code}${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}`));
    });
  });
}

function namesOf(candidates: readonly Candidate[]): string {
  return candidates.map(({ name }) => name).join(', ');
}

function refused(command: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', 'The placer did not say on which server a session goes.', {
    where: `--placer ${command}`,
    why,
    todo: 'have it write the name of one of the servers that it gets, within 5 s',
  });
}
