/** How like the picture that was sent a received one is, by their luma. */
export interface Likeness {
  /** Structural similarity (Z. Wang et al., 2004): 1 of the same picture, 0 of one that has nothing of it. */
  readonly ssim: number;
  /** Peak signal-to-noise ratio, dB. */
  readonly psnrDb: number;
}

/** Side of a block; a window is of two by two, and there is one for each block (as in x264 and FFmpeg's `ssim`). */
const side = 4;
const pixels = (2 * side) ** 2;
const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2] as const;
/** What is told of two pictures that do not differ, for which there is no number. */
const mostDb = 100;

/** Of a block: both sums, the sum of both squares, and that of the products. */
const sums = 4;

/** Planes of the same size, without padding. What is left of a block at the right or the bottom is left out. */
export function likeness(sent: Uint8Array, received: Uint8Array, width: number): Likeness {
  const [columns, rows] = [Math.floor(width / side), Math.floor(sent.length / width / side)];
  let above = new Float64Array(columns * sums);
  let below = new Float64Array(columns * sums);
  let [similar, squared] = [0, 0];
  for (let row = 0; row < rows; row += 1) {
    [above, below] = [below, above];
    squared += sumBlocks(below, sent, received, { from: row * side * width, width });
    if (row === 0) continue;
    for (let column = 1; column < columns; column += 1) similar += similarity(above, below, column * sums);
  }
  const meanSquare = squared / (columns * rows * side * side);
  return {
    ssim: similar / ((columns - 1) * (rows - 1)),
    psnrDb: meanSquare === 0 ? mostDb : Math.min(mostDb, 10 * Math.log10(255 ** 2 / meanSquare)),
  };
}

/** Returns the sum of squared differences. */
function sumBlocks(
  into: Float64Array,
  sent: Uint8Array,
  received: Uint8Array,
  { from, width }: { readonly from: number; readonly width: number },
): number {
  let differences = 0;
  for (let place = 0; place < into.length; place += sums) {
    let [a, b, squares, products] = [0, 0, 0, 0];
    for (let y = 0; y < side; y += 1) {
      const first = from + y * width + (place / sums) * side;
      for (let at = first; at < first + side; at += 1) {
        const [one, other] = [sent[at] as number, received[at] as number];
        a += one;
        b += other;
        squares += one * one + other * other;
        products += one * other;
      }
    }
    into[place] = a;
    into[place + 1] = b;
    into[place + 2] = squares;
    into[place + 3] = products;
    differences += squares - 2 * products;
  }
  return differences;
}

/** Of the window whose right blocks are there. */
function similarity(above: Float64Array, below: Float64Array, right: number): number {
  const sumOf = (which: number) =>
    (above[right + which] as number) +
    (above[right + which - sums] as number) +
    (below[right + which] as number) +
    (below[right + which - sums] as number);
  const [a, b] = [sumOf(0) / pixels, sumOf(1) / pixels];
  const variances = (sumOf(2) - pixels * (a * a + b * b)) / (pixels - 1);
  const covariance = (sumOf(3) - pixels * a * b) / (pixels - 1);
  return ((2 * a * b + c1) * (2 * covariance + c2)) / ((a * a + b * b + c1) * (variances + c2));
}
