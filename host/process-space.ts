import { readlinkSync } from 'node:fs';

const letters = 3;
const marks = 36 ** letters;

/**
 * Three letters or digits for the numbering of processes that this one lives in (pid_namespaces(7)). A container has
 * one of its own, and what it shares with others, such as the host's network or a temporary folder, may have names of
 * theirs: a pid in such a name is of another process here, or of none. The same everywhere where there is no /proc.
 */
export const processSpace = markOf(numberOf('/proc/self/ns/pid'));

/** Of a namespace's number, which is counted upwards: two of one host at one time hardly ever have the same. */
export function markOf(number: number): string {
  return (number % marks).toString(36).padStart(letters, '0');
}

function numberOf(link: string): number {
  try {
    return Number(/\[(\d+)\]/.exec(readlinkSync(link))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
