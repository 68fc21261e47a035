import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Logical CPUs of this machine. Where the system lists none (Linux without /proc): those this process may use. */
export function coreCount(): number {
  return cpus().length || availableParallelism();
}

/**
 * Cores that a process may use, where they are fewer than the machine has: the least of its quota and of the CPUs that
 * it is allowed, by `taskset` or a cpuset.
 */
export function coresHeldTo(pid: number | 'self', quota: number | undefined): number | undefined {
  return leastCores(quota, cpusIn(allowedCpus(pid)).length, coreCount());
}

/** Of a machine; what may run on none is not known. The list may name CPUs that are not there. */
export function leastCores(quota: number | undefined, allowed: number, machine: number): number | undefined {
  const held = allowed > 0 && allowed < machine ? [allowed] : [];
  const all = quota === undefined ? held : [...held, quota];
  return all.length === 0 ? undefined : Math.min(...all);
}

/** `Cpus_allowed_list` of proc_pid_status(5), "0-3,8"; undefined where it cannot be read. */
export function allowedCpus(pid: number | 'self' | undefined): string | undefined {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Whether two processes have no CPU in common, by such lists; false where one cannot be read. */
export function areApart(one: string | undefined, other: string | undefined): boolean {
  const [own, others] = [cpusIn(one), new Set(cpusIn(other))];
  return own.length > 0 && others.size > 0 && !own.some((cpu) => others.has(cpu));
}

/** The CPUs of such a list. */
export function cpusIn(list = ''): readonly number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, nth) => Number(first) + nth),
  );
}
