import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';

/** Cores, as bits, that receive loopback traffic (Receive Packet Steering); none: the sender's. */
const steering = '/sys/class/net/lo/queues/rx-0/rps_cpus';

/** In front of a server's command: the first core is the servers' alone. */
export const onServerCore = ['taskset', '-c', '0'] as const;

/**
 * Puts this process and all that it starts on the other cores, and lets those receive what comes over loopback, as a
 * network card of another host would: else a server that sends also receives in the probes' place, and wakes them. The
 * latter ends with this process, which a signal ends as an error would. Needs root, two cores, Linux and `taskset`.
 */
export async function setApart(): Promise<void> {
  const cores = cpus().length;
  if (cores < 2) throw new Error('"apart" needs two cores: one for the servers, and others for the probes');
  const before = readFileSync(steering, 'utf8').trim();
  await promisify(execFile)('taskset', ['-acp', `1-${cores - 1}`, String(process.pid)]);
  process.once('exit', () => writeFileSync(steering, before));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  writeFileSync(steering, coreMask(cores));
}

/** All but the first core, in the kernel's form: hexadecimal, a comma behind each 32 bits. */
function coreMask(cores: number): string {
  return (2n ** BigInt(cores) - 2n).toString(16).replace(/\B(?=(?:.{8})+$)/g, ',');
}
