import { cpus, release, totalmem, type } from 'node:os';
import { coreCount } from '../../host/core-count.js';
import type { HostFacts } from '../../model/run.js';

/** This machine, as the manifest of a run names it. */
export function readHostFacts(nodeVersion: string): HostFacts {
  return {
    cores: coreCount(),
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    memoryMb: Math.round(totalmem() / 1_048_576),
    kernel: release(),
    os: type(),
    node: nodeVersion,
  };
}
