import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { hasProgram } from '../../host/has-program.js';
import type { ToolProcess } from '../process.js';

/** What shows a file to whoever sits there, in order of preference. */
const openers = platform() === 'darwin' ? ['open'] : ['xdg-open', 'wslview'];

/** Shows a file in the program that the desktop has for it, and waits for nobody. Where there is none, it says so. */
export async function openFile(path: string, { env, stderr }: Pick<ToolProcess, 'env' | 'stderr'>): Promise<void> {
  const there = await Promise.all(openers.map((program) => hasProgram(program, env.PATH)));
  const opener = openers.find((_, nth) => there[nth]);
  if (opener === undefined) {
    stderr.write(`warning: nothing here opens files (${openers.join(', ')}): open ${path} yourself\n`);
    return;
  }
  await new Promise<void>((resolve) => {
    const child = spawn(opener, [path], { detached: true, stdio: 'ignore', env: { ...env } });
    child.once('error', (error) => {
      stderr.write(`warning: ${opener} could not open ${path}: ${error.message}\n`);
      resolve();
    });
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
