import { availableParallelism, cpus } from 'node:os';

/** Logical CPUs of this machine. Where the system lists none, as Linux without /proc: those that this process may run on. */
export function coreCount(): number {
  return cpus().length || availableParallelism();
}
