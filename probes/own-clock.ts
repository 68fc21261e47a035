import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { clockOf } from '../model/sender-mark.js';

/** Processes for which this is the same go by the same clock: the kernel's, of this start of it. */
export function ownClock(): number {
  try {
    return clockOf(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  } catch {
    return clockOf(hostname());
  }
}
