import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { foreignCalls } from './foreign-calls.js';

const PROT_READ = 1;
const MAP_PRIVATE = 2;

/**
 * The bytes of a file, to be read and not written: of a large one only what is looked at takes memory, once for all
 * processes (mmap(2)). Where nothing can map it, it is read. The file must not be cut short meanwhile; another one may
 * take its name. Throws as `readFileSync`.
 */
export function mappedFile(path: string): Buffer {
  const calls = foreignCalls();
  if (!calls) return readFileSync(path);
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const map = calls.bind('int64_t mmap(uint64_t, uint64_t, int, int, int, int64_t)');
    const address = size > 0 ? map(0, size, PROT_READ, MAP_PRIVATE, file, 0) : -1;
    return address > 0 ? calls.view(address, size) : readFileSync(path);
  } finally {
    closeSync(file);
  }
}
