import { availableParallelism, cpus } from 'node:os';

/** Logical CPUs of this machine. Where the system lists none (Linux without /proc): those this process may use. */
export function coreCount(): number {
  return cpus().length || availableParallelism();
}
