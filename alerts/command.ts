import { spawn } from 'node:child_process';
import { signalGroup } from '../host/child-processes.js';
import { type AlertTarget, alertDocument } from './target.js';

const wordsMax = 500;

/** Runs a shell command with the alert as JSON on its standard input. An exit code other than 0 is a failure. */
export function commandTarget(command: string): AlertTarget {
  return {
    name: 'command',
    todo: 'run the command of alerts.command in a shell, with a line of JSON on its standard input',
    tell: (alert, signal) =>
      new Promise((resolve, reject) => {
        const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
        let words = '';
        // The whole group, or what the shell has started would stay.
        const end = () => signalGroup(child.pid);
        signal.addEventListener('abort', end, { once: true });
        child.stderr.on('data', (chunk: Buffer) => {
          words = (words + chunk.toString()).slice(-wordsMax);
        });
        // A command that does not read its input closes the pipe.
        child.stdin.on('error', () => undefined);
        child.stdin.end(`${JSON.stringify(alertDocument(alert))}\n`);
        child.on('error', (error) => reject(new Error(`the command did not start: ${error.message}`)));
        child.on('close', (code, how) => {
          signal.removeEventListener('abort', end);
          const said = words.trim() === '' ? '' : `: ${words.trim()}`;
          if (code === 0) resolve();
          else if (signal.aborted) reject(new Error('the command did not end in time'));
          else reject(new Error(`the command ended with ${how ?? code}${said}`));
        });
      }),
  };
}
