import { foreignCalls } from './foreign-calls.js';
import { once } from './once.js';

const trim = once(() => {
  try {
    return foreignCalls()?.bind('int malloc_trim(uint64_t)');
  } catch {
    return undefined;
  }
});

/** Returns freed memory to the kernel (malloc_trim(3)), in some ms; does nothing where the C library lacks it. */
export function giveBackMemory(): void {
  trim()?.(0);
}
