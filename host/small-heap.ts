import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets a heap of 100 MB grow to four times that before it looks for what is dead among the old. What pages tell
 * lives for a second or two, long enough to become old: at 10,000 probes most of the process's memory was such. From
 * here on it looks when the heap has doubled, which costs no CPU that can be measured (docs/lab/scale.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
