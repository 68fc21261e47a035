import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from '../../host/bounded-wait.js';
import { endOf, howItEnded, signalGroup } from '../../host/child-processes.js';
import { allowedCpus } from '../../host/core-count.js';
import { makeFolders } from '../../host/make-folders.js';
import { once } from '../../host/once.js';
import { type ProcessStat, readProcesses, treeOf } from '../../host/processes.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { openServerCage } from '../../server-setup/cpu-limit/server-cage.js';
import { findListener } from '../../server-setup/evidence/process-resources.js';
import type { ToolProcess } from '../process.js';
import type { StudyServer } from './study-file.js';

/** Throws E_CPU_LIMIT where a server cannot be held to what the study gives it: before the first is started. */
export async function proveLimits(servers: readonly StudyServer[]): Promise<void> {
  for (const { cores, memoryBytes } of servers) await (await openServerCage(given({ cores, memoryBytes }))).close();
}

const readyWithinMs = 60_000;
const stopWithinMs = 30_000;
const endWithinMs = 10_000;
/** Times to answer again are told by it. */
const lookEachMs = 20;

/** Puts itself into each control group that is named behind the command, and becomes the command. */
const intoGroups = 'command=$1; shift; for group; do echo $$ > "$group" || exit 126; done; exec /bin/sh -c "$command"';

export interface StartedServer {
  /** Kills it, starts it again, and resolves with the milliseconds from the kill until it answers. */
  killAndStart(): Promise<number>;
  /** The process of its command; undefined where what listens at `ready` is not of it, or is not seen. */
  pid(): Promise<number | undefined>;
  /** The cores that it may run on, as the kernel has it; undefined where its command has ended. */
  cpus(): string | undefined;
  close(): Promise<void>;
}

/**
 * Starts the server of a cell by its command, in its control group, and waits until it answers; what it says is in
 * `logs/` of the study. Undefined where the study has not to start it. Throws E_SERVER_UNREACHABLE, E_CPU_LIMIT.
 */
export async function startedServer(
  { name, start, stop, ready = '', cores, memoryBytes, cpus }: StudyServer,
  folder: string,
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<StartedServer | undefined> {
  if (start === undefined) return undefined;
  // What runs there already would be measured in its place.
  if (await answers(ready)) throw notThere(name, ready, 'something answers there before it was started');
  const cage = await openServerCage(given({ cores, memoryBytes }));
  await makeFolders(join(folder, 'logs'));
  const log = await open(join(folder, 'logs', `${name}.log`), 'a');
  const run = runner(cpus, log.fd, tool);
  const begin = () => {
    const child = run(start, cage.procs);
    return { child, end: endOf(child) };
  };
  let now = begin();
  const close = once(async () => {
    if (stop !== undefined) {
      const stopping = run(stop, []);
      const { inTime } = await atMost(stopWithinMs, endOf(stopping));
      if (!inTime) signalGroup(stopping.pid);
    }
    signalGroup(now.child.pid, 'SIGTERM');
    await atMost(endWithinMs, now.end);
    await silent(ready);
    signalGroup(now.child.pid);
    await cage.close();
    await log.close();
  });
  const killAndStart = async () => {
    const killedMs = performance.now();
    signalGroup(now.child.pid);
    await atMost(endWithinMs, now.end);
    if (await answers(ready)) throw notThere(name, ready, 'it answered after it was killed: start it by exec', 'again');
    now = begin();
    await whenReady({ name, ready, end: now.end }, signal);
    return performance.now() - killedMs;
  };
  try {
    await whenReady({ name, ready, end: now.end }, signal);
  } catch (error) {
    await close();
    throw error;
  }
  const pid = async () => {
    const listener = await findListener(Number(placeIn(ready).port));
    return startedOf(now.child.pid, listener?.pid, await readProcesses());
  };
  return { killAndStart, pid, cpus: () => allowedCpus(now.child.pid), close };
}

/** What runs commands on these cores, in control groups. */
function runner(cpus: string | undefined, log: number, { workingFolder, env }: ToolProcess) {
  return (command: string, groups: readonly string[]) => {
    const args = ['-c', intoGroups, 'sh', command, ...groups];
    const [program, all]: [string, string[]] =
      cpus === undefined ? ['/bin/sh', args] : ['taskset', ['-c', cpus, '/bin/sh', ...args]];
    return spawn(program, all, { cwd: workingFolder, env: { ...env }, stdio: ['ignore', log, log], detached: true });
  };
}

/** The command, where the listener is of it: of `docker run` it is not, and its CPU would pass for the server's. */
export function startedOf(command: number | undefined, listener: number | undefined, all: readonly ProcessStat[]) {
  const own = command === undefined ? [] : treeOf(all, new Set([command]));
  return own.some(({ pid }) => pid === listener) ? command : undefined;
}

/** A command that ends well has left its server behind, as one that starts a service does. */
async function whenReady(
  { name, ready, end }: { readonly name: string; readonly ready: string; readonly end: ReturnType<typeof endOf> },
  signal: AbortSignal,
): Promise<void> {
  let ended: string | undefined;
  end.then((how) => {
    if (how.kind !== 'exited' || how.code !== 0) ended = howItEnded(how);
  });
  for (let leftMs = readyWithinMs; leftMs > 0; leftMs -= lookEachMs) {
    signal.throwIfAborted();
    if (ended !== undefined) throw notThere(name, ready, `its command ${ended}`);
    if (await answers(ready)) return;
    await sleep(lookEachMs);
  }
  throw notThere(name, ready, `nothing answered in ${readyWithinMs / 1000} s`);
}

function notThere(name: string, where: string, why: string, again = ''): LoadlineError {
  const todo = `see logs/${name}.log in the folder of the study`;
  const text = `The server ${name} did not start${again && ` ${again}`}.`;
  return new LoadlineError('E_SERVER_UNREACHABLE', text, { where, why, todo });
}

/** A service that the command left behind ends after it. */
async function silent(ready: string): Promise<void> {
  for (let leftMs = endWithinMs; leftMs > 0 && (await answers(ready)); leftMs -= lookEachMs) await sleep(lookEachMs);
}

/** Whether a TCP connection comes about. */
function answers(address: string): Promise<boolean> {
  const { host, port } = placeIn(address);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 1000 });
    const say = (there: boolean) => () => {
      socket.destroy();
      resolve(there);
    };
    socket.once('connect', say(true)).once('error', say(false)).once('timeout', say(false));
  });
}

function placeIn(address: string) {
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  return { host, port };
}
