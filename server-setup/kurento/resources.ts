import { LoadlineError } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { coresOfProcess } from '../evidence/idleness.js';
import type { ProcessMeter } from '../evidence/process-resources.js';
import { readBeside } from '../evidence/read-beside.js';
import type { KurentoCalls } from './kurento-calls.js';
import { serverManagerId } from './kurento-options.js';
import { pipelinesOf } from './orphans.js';

/** The server measures its CPU for so long before it answers. */
const cpuIntervalMs = 500;

/** Where readings come from: the process itself when it is here and known, else what the server says of itself. */
interface ResourceSource {
  readonly calls: KurentoCalls;
  readonly meter: ProcessMeter | undefined;
}

/** Values that could not be read are absent. Rejects when all is the server's to say, and it does not answer. */
export async function readResources({ calls, meter }: ResourceSource): Promise<ServerReading> {
  // Each session is one pipeline; those of others are counted, too.
  const count = pipelinesOf(calls).then(({ length }) => length);
  if (meter !== undefined) return readBeside(count, meter);
  const [sessions, values] = await Promise.all([count, readOverProtocol(calls)]);
  return { atMs: Date.now(), ...values, sessions };
}

/** Cores in use over a moment; `undefined` when the server refuses to say. */
export async function readServerCores(
  { calls }: Pick<ResourceSource, 'calls'>,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (pid !== undefined) return coresOfProcess(pid, signal);
  try {
    return (await calls.invoke(serverManagerId, 'getUsedCpu', { interval: cpuIntervalMs }, signal)) / 100;
  } catch (error) {
    if (error instanceof LoadlineError && error.code === 'E_SERVER_REFUSED') return undefined;
    throw error;
  }
}

/**
 * Of memory only the server's own figure can be had: a Kurento with 27 MB resident says 400 MB, so it is never taken
 * for resident memory.
 */
async function readOverProtocol(calls: KurentoCalls): Promise<Pick<ServerReading, 'cpuCores' | 'saidMemoryMb'>> {
  const [cpuPercent, memoryKib] = await Promise.all([
    calls.invoke(serverManagerId, 'getUsedCpu', { interval: cpuIntervalMs }),
    calls.invoke(serverManagerId, 'getUsedMemory', {}),
  ]);
  return { cpuCores: cpuPercent / 100, saidMemoryMb: memoryKib / 1024 };
}
