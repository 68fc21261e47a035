import { foreignCalls } from './foreign-calls.js';
import { once } from './once.js';

const trim = once(() => {
  try {
    return foreignCalls()?.bind('int malloc_trim(uint64_t)');
  } catch {
    return undefined;
  }
});

/** Gives back to the kernel what this process has set free (malloc_trim(3)), which takes some milliseconds; nothing where the C library has no such call. */
export function giveBackMemory(): void {
  trim()?.(0);
}
