/** Numbers in the first block; each next one has twice as many, up to the most: small trials take little. */
const firstLength = 64;
const mostLength = 1 << 15;
/** More than any block holds, so that a place says its block and where in it. */
const span = 2 ** 24;

/**
 * Numbers of many streams in a few large blocks. Ten thousand small lists would each have a head of their own and be
 * looked at by the garbage collector again and again; it never looks into these.
 */
export class NumberBlocks {
  private readonly blocks: Float64Array[] = [];
  private used = 0;

  /** The place of `count` zeros that stand one after the other in one block. */
  allot(count: number): number {
    const last = this.blocks.at(-1);
    if (!last || this.used + count > last.length) {
      const length = last ? Math.min(mostLength, 2 * last.length) : firstLength;
      this.blocks.push(new Float64Array(Math.max(count, length)));
      this.used = 0;
    }
    const place = (this.blocks.length - 1) * span + this.used;
    this.used += count;
    return place;
  }

  put(numbers: readonly number[]): number {
    const place = this.allot(numbers.length);
    this.blockOf(place).set(numbers, offsetOf(place));
    return place;
  }

  blockOf(place: number): Float64Array {
    const block = this.blocks[Math.floor(place / span)];
    if (!block) throw new Error('no numbers were put there');
    return block;
  }
}

export function offsetOf(place: number): number {
  return place % span;
}
