import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { killNow, readProcesses, treeOf } from '../../host/processes.js';
import type { ToolProcess } from '../process.js';

/** So often the agent says that it runs. */
const sayEveryMs = 1000;
/** Said last, by an agent that has cleared up itself. */
const farewell = '!';

/**
 * A process beside the agent, which ends what the agent has started when the agent itself cannot: one that is stopped
 * (SIGSTOP), or hangs, keeps its browsers alive by the pipes that it holds open. Returns what ends it.
 */
export function startWatcher({ selfCommand, env }: ToolProcess, ownPid: number): () => void {
  const [node = 'node', ...script] = selfCommand;
  // A group of its own: Ctrl-C and a signal to the agent's group do not reach it.
  const child = spawn(node, [...script, 'host-watch', String(ownPid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
  });
  // Without it the lease holds as long as the agent runs.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  const saying = setInterval(() => child.stdin.write('.'), sayEveryMs);
  saying.unref();
  return () => {
    clearInterval(saying);
    child.stdin.end(farewell);
  };
}

/** Whether this is the last word of an agent that has cleared up itself. */
export function isFarewell(said: Buffer): boolean {
  return said.includes(farewell);
}

interface Watch {
  /** The process whose offspring is ended, and who does so. */
  readonly agent: number;
  readonly watcher: number;
  readonly silenceMs: number;
  readonly lookEveryMs: number;
  /** Since it last said something. */
  readonly silentForMs: () => number;
  /** The agent has ended. */
  readonly signal: AbortSignal;
}

/** Ends all that the agent has started for as long as it says nothing. Resolves when the agent has ended. */
export async function watchAgent(watch: Watch): Promise<void> {
  const { silenceMs, lookEveryMs, silentForMs, signal } = watch;
  while (!signal.aborted) {
    if (silentForMs() >= silenceMs) await endOffspring(watch);
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What clearing up after an agent goes by. */
interface Departed {
  readonly isRunning: () => boolean;
  /** Removes what dead owners have left, and returns what that was. */
  readonly removeLeftovers: () => Promise<readonly string[]>;
  readonly lookEveryMs: number;
}

/** One whose parent does not reap it counts as running. */
const goneWithinMs = 5000;

/**
 * When an agent was killed, nobody else may start on its host for long: what it has left is removed at once, and again
 * while its browsers, which end with its pipes, still write.
 */
export async function clearAfter({ isRunning, removeLeftovers, lookEveryMs }: Departed): Promise<void> {
  for (let waitedMs = 0; isRunning() && waitedMs < goneWithinMs; waitedMs += lookEveryMs) await sleep(lookEveryMs);
  while ((await removeLeftovers()).length > 0) await sleep(lookEveryMs);
}

async function endOffspring({ agent, watcher }: Watch): Promise<void> {
  const below = treeOf(await readProcesses(), new Set([agent])).filter(({ pid }) => pid !== agent);
  const watchers = new Set(treeOf(below, new Set([watcher])).map(({ pid }) => pid));
  for (const { pid } of below) if (!watchers.has(pid)) killNow(pid);
}
