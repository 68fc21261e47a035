import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Processes for which this is the same go by the same clock: the kernel's, of this start of it. */
export function clockName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
