import { cpus, release, totalmem, type } from 'node:os';
import type { HostFacts } from '../../model/run.js';

/** This machine, as the manifest of a run names it. */
export function readHostFacts(nodeVersion: string): HostFacts {
  const cores = cpus();
  return {
    cores: cores.length,
    cpuModel: cores[0]?.model.trim() || 'unknown',
    memoryMb: Math.round(totalmem() / 1_048_576),
    kernel: release(),
    os: type(),
    node: nodeVersion,
  };
}
