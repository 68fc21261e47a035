/** So many of them, each as likely as any other, in an order that is as likely as any other (R. Durstenfeld, 1964). */
export function drawn<T>(values: readonly T[], count: number, random: () => number): T[] {
  const left = [...values];
  return Array.from({ length: count }).flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}

/** Numbers in [0, 1), the same for a seed on every machine (mulberry32, a 32-bit counter with a mixing function). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
