import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcess } from '../../host/processes.js';
import { smallFile } from './small-file.js';

/** A process beyond doubt: its number, and its start in clock ticks since boot, as numbers are reused. */
interface ProcessId {
  readonly pid: number;
  readonly startTicks: number;
}

interface Claim {
  readonly number: number;
  readonly holder: ProcessId | undefined;
}

/**
 * One process at a time may have a folder. Claims are files `lock-1`, `lock-2` …, each naming its process; the highest
 * counts, and only while that process runs, so that a kill -9 or a power cut leaves no lock behind. Nobody removes or
 * replaces the claim of a process that runs: a stale one is followed by the next number, which link(2) gives to one
 * process alone.
 *
 * Resolves with the process that has the folder already, or `undefined` when it is ours from now on; so it is where
 * there is no /proc. Processes of other machines are not seen. Rejects with the file system's own error.
 */
export async function takeLock(folder: string): Promise<ProcessId | undefined> {
  const self = await runningProcess('self');
  if (!self) return undefined;
  for (;;) {
    const last = (await claimsIn(folder)).at(-1);
    if (last && (await isOther(last, self))) return last.holder;
    const number = (last?.number ?? 0) + 1;
    if (!(await claim(folder, number, self))) continue;
    const all = await claimsIn(folder);
    // A listing may miss a claim that was made while it was read: the higher one then counts, and this one steps back.
    const higher = all.at(-1);
    if (higher && higher.number > number && (await isOther(higher, self))) {
      await rm(pathOf(folder, number), { force: true });
      return higher.holder;
    }
    await Promise.all(
      all.filter((one) => one.number < number).map((one) => rm(pathOf(folder, one.number), { force: true })),
    );
    return undefined;
  }
}

/** Gives up what this process has claimed. Does nothing when that is nothing, or the folder is gone. */
export async function releaseLock(folder: string): Promise<void> {
  const self = await runningProcess('self');
  const claims = await claimsIn(folder).catch((): Claim[] => []);
  const own = claims.filter(({ holder }) => holder !== undefined && holder.pid === self?.pid);
  await Promise.all(own.map(({ number }) => rm(pathOf(folder, number), { force: true })));
}

/** Of a process that runs, or `self`; `undefined` for none, and for one that was killed and only waits to be reaped. */
export async function runningProcess(pid: number | 'self'): Promise<ProcessId | undefined> {
  const stat = readProcess(pid);
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined;
  return { pid: stat.pid, startTicks: stat.startTicks };
}

async function isOther({ holder }: Claim, self: ProcessId): Promise<boolean> {
  if (!holder || holder.pid === self.pid) return false;
  return (await runningProcess(holder.pid))?.startTicks === holder.startTicks;
}

async function claimsIn(folder: string): Promise<Claim[]> {
  const numbers = (await readdir(folder)).flatMap((name) => /^lock-(\d{1,9})$/.exec(name)?.[1] ?? []).map(Number);
  const sorted = numbers.sort((a, b) => a - b);
  return Promise.all(sorted.map(async (number) => ({ number, holder: await holderOf(pathOf(folder, number)) })));
}

const mostOfClaim = 1000;

/** `undefined` when it is gone by now, or says nothing that can be understood. */
async function holderOf(path: string): Promise<ProcessId | undefined> {
  const text = await smallFile(path, mostOfClaim).then(String, () => '');
  const [, pid, start] = /^pid (\d+), started at tick (\d+)\n$/.exec(text) ?? [];
  return pid === undefined || start === undefined ? undefined : { pid: Number(pid), startTicks: Number(start) };
}

/** Whole or not at all: written under a name of its own first. False when another process has this number. */
async function claim(folder: string, number: number, { pid, startTicks }: ProcessId): Promise<boolean> {
  const passing = join(folder, `.lock-${pid}`);
  await writeFile(passing, `pid ${pid}, started at tick ${startTicks}\n`, { mode: 0o600 });
  try {
    await link(passing, pathOf(folder, number));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(passing, { force: true });
  }
}

function pathOf(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}
