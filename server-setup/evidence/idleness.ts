import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { ProcessMeter } from './process-resources.js';

/** A media server without sessions uses next to nothing; what is left of an earlier trial uses more. */
const idleCoresMax = 0.1;
const watchMs = 300;

/**
 * Waits until the server uses no more CPU than an idle one; resolves with the cores in use then, `undefined` where
 * nobody can tell. Rejects with E_NOT_CLEAN and the value seen when that takes longer than `withinMs`.
 */
async function becomeIdle(readCores: () => Promise<number | undefined>, withinMs: number, signal: AbortSignal) {
  const endsAtMs = performance.now() + withinMs;
  for (;;) {
    const cores = await readCores();
    signal.throwIfAborted();
    if (cores === undefined || cores <= idleCoresMax) return cores;
    if (performance.now() > endsAtMs) throw notIdle(cores, withinMs);
  }
}

interface Resting {
  /** Sessions of others. A server that others use is never idle; the trial then says whose load is in its numbers. */
  readonly foreign: number;
  readonly readCores: () => Promise<number | undefined>;
  readonly withinMs: number;
  /** Of its process, where that is on this host. */
  readonly meter: ProcessMeter | undefined;
}

/** Waits until a clean server has come to rest, and says what it uses then. Rejects as `becomeIdle` does. */
export async function readAtRest({ foreign, readCores, withinMs, meter }: Resting, signal: AbortSignal) {
  const idleCores = foreign > 0 ? undefined : await becomeIdle(readCores, withinMs, signal);
  const rssMb = (await meter?.read())?.rssMb;
  return given({ rssMb, idleCores });
}

/**
 * Cores of a process and its children over a moment; of none, `undefined`. Its own meter: meters tell use since the
 * last reading.
 */
export async function coresOfProcess(pid: number | undefined, signal: AbortSignal): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const meter = new ProcessMeter(pid);
  await meter.read();
  await pause(watchMs, undefined, { signal });
  return (await meter.read()).cpuCores;
}

function notIdle(cores: number, withinMs: number): LoadlineError {
  return new LoadlineError('E_NOT_CLEAN', 'The media server is busy although it holds no session.', {
    why: `${withinMs / 1000} s after everything was released it still uses ${cores.toFixed(2)} cores (idle: ${idleCoresMax} at most)`,
    todo: 'see what it works on, or start it anew: --reset restart --reset-command does that before each trial',
  });
}
