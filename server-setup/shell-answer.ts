import { spawn } from 'node:child_process';
import { saidBy, signalGroup } from '../host/child-processes.js';

const mostOutput = 10_000;

/** Output of a shell command given this input. Rejects with a sentence part: "it ended with 3: sorry". */
export function shellAnswer(command: string, input: string, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const [stdout, stderr] = [saidBy(child.stdout, mostOutput), saidBy(child.stderr, mostOutput, 'last')];
    let isLate = false;
    // The whole group, or what the shell has started would stay.
    const timer = setTimeout(() => {
      isLate = true;
      signalGroup(child.pid);
    }, withinMs);
    // A command that does not read its input closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${input}\n`);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`it did not start: ${error.message}`));
    });
    child.on('close', (code, how) => {
      clearTimeout(timer);
      const said = stderr().trim();
      if (code === 0) resolve(stdout());
      else if (isLate) reject(new Error(`it took longer than ${withinMs / 1000} s`));
      else reject(new Error(`it ended with ${how ?? code}${said === '' ? '' : `: ${said}`}`));
    });
  });
}
