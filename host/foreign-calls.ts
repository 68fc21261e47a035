import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { once } from './once.js';

/** A function of a library in C. Addresses are numbers; what it gives back is one, too. */
export type ForeignCall = (...values: readonly unknown[]) => number;

/** Memory that stays where it is, so that functions in C can be told its address. It is never given back. */
export interface ForeignMemory {
  readonly address: number;
  readonly bytes: Buffer;
  readonly words: Uint32Array;
}

export interface ForeignCalls {
  /**
   * Of the C library and of what Node itself is linked with, by a prototype in which `uint64_t` stands for addresses.
   * Throws where it is not found.
   */
  bind(prototype: string): ForeignCall;
  /** Filled with zeros. */
  memory(bytes: number): ForeignMemory;
  /** Whether nobody has written beside any of it. */
  areWhole(): boolean;
  /** So many bytes at an address that somebody else keeps. */
  view(address: number, bytes: number): Buffer;
}

/** Canaries before and behind memory that C functions write to. Whole words, to keep its alignment. */
const guardBytes = 64;
const guard = Buffer.alloc(guardBytes, 0xa5);

/**
 * Calls of functions in C, by koffi, whose package brings its binary; loaded when they are first asked for. `undefined`
 * where it is not there, and off Linux with 64 bits in the order of x86 and ARM, by which memory that C reads is laid
 * out here.
 */
export const foreignCalls = once(load);

function load(): ForeignCalls | undefined {
  if (platform() !== 'linux' || !['x64', 'arm64'].includes(arch())) return undefined;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi').default;
    const library = koffi.load(null);
    const guards: Buffer[] = [];
    return {
      bind: (prototype) => library.func(prototype) as unknown as ForeignCall,
      memory: (size) => {
        const pointer: unknown = koffi.alloc('uint8_t', size + 2 * guardBytes);
        const memory = koffi.view(pointer, size + 2 * guardBytes);
        const own = [Buffer.from(memory, 0, guardBytes), Buffer.from(memory, guardBytes + size, guardBytes)];
        for (const one of own) guards.push(one.fill(guard));
        const words = new Uint32Array(memory, guardBytes, size / 4).fill(0);
        return {
          address: Number(koffi.address(pointer)) + guardBytes,
          bytes: Buffer.from(memory, guardBytes, size),
          words,
        };
      },
      areWhole: () => guards.every((one) => one.equals(guard)),
      view: (address, size) => Buffer.from(koffi.view(BigInt(address), size)),
    };
  } catch {
    return undefined;
  }
}
