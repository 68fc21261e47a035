import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readProcess, ticksPerSecond } from '../../host/processes.js';

/** CPU that a process has used, seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return (readProcess(pid)?.cpuTicks ?? Number.NaN) / ticksPerSecond;
}

/** What it has read, from sockets and files (proc_pid_io(5), rchar). */
export async function bytesReadBy(pid: number): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** The process that a shell of ours started. */
export async function childOf(shell: number): Promise<number> {
  return Number((await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8')).trim().split(' ')[0]);
}

/** Where a program has its configuration file: its folder. */
export async function configFolderOf(pid: number): Promise<string> {
  return dirname((await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[2] ?? '');
}

/** Files that come and go while they are looked at count nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
