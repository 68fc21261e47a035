import { seededRandom } from './seeded-random.js';

export interface PictureShape {
  readonly width: number;
  readonly height: number;
  /** Length of the loop. */
  readonly frames: number;
}

/** Long enough that a loop is nothing regular to an encoder, short enough for raw frames (31 MB at 640x360). */
export const loopSeconds = 3;

/**
 * The fake camera's pictures: like in a call, something moves in the middle and the background stands still. What moves
 * is two transparent layers of fine texture that drift along closed curves in different directions. Where two motions
 * overlap no single motion vector fits, so that the blocks leave a residual and a VP8 encoder spends all the bits it is
 * given, in every frame alike; an easy picture would leave the server half loaded (Chromium's own test pattern needs
 * about 200 kbit/s). The still background keeps encoding cheap. The curves are closed: the last frame is as near to the
 * first as any two neighbours, and the loop forces no large frame.
 */
export class CameraPictures {
  /** The part of the picture that moves, in pixels: to the right and down to the end it does not take in. */
  readonly moving: { readonly left: number; readonly right: number; readonly top: number };
  private readonly slow = tileableTexture(1, 4, 8);
  private readonly fast = tileableTexture(2, 4, 8);
  /** A picture in which nothing moves yet: all that is the same in each. */
  private readonly still: Uint8Array;

  constructor(readonly shape: PictureShape) {
    const { width, height } = shape;
    const left = Math.ceil(width * (0.5 - movingWidth / 2));
    this.moving = { left, right: width * (0.5 + movingWidth / 2), top: Math.ceil(height * stillTop) };
    this.still = stillPicture(shape, this.slow);
  }

  /** As I420, into so many bytes. */
  draw(index: number, into: Uint8Array): void {
    const { width, height } = this.shape;
    into.set(this.still);
    this.moveIn(index, into, { width, height });
  }

  /** The plane of luma alone. */
  luma(index: number): Uint8Array {
    const { width, height } = this.shape;
    const plane = this.still.slice(0, width * height);
    this.moveIn(index, plane, { width, height });
    return plane;
  }

  /** The luma of one pixel in the moving part. */
  movingAt(index: number): (x: number, y: number) => number {
    const turn = (2 * Math.PI * index) / this.shape.frames;
    const slowAt = sampler(this.slow, 60 * Math.cos(turn), 30 * Math.sin(turn));
    const fastAt = sampler(this.fast, 50 * Math.sin(2 * turn), 60 * Math.cos(turn));
    return (x, y) => grey + slowAt(x, y) * slowPeak + fastAt(x, y) * fastPeak;
  }

  private moveIn(index: number, luma: Uint8Array, { width, height }: { width: number; height: number }): void {
    const { left, right, top } = this.moving;
    const at = this.movingAt(index);
    for (let y = top; y < height; y += 1) for (let x = left; x < right; x += 1) luma[y * width + x] = at(x, y);
  }
}

const grey = 126;
/** Peak of each layer in luma steps: enough to fill 1 Mbit/s at 640x360 and 30 fps, low enough to encode cheaply. */
const slowPeak = 60;
const fastPeak = 20;
/** The part of the picture that moves, measured from its middle and its top. */
const movingWidth = 0.2;
export const stillTop = 0.15;

/** Side of a texture tile; a power of two, so that wrapping is a mask. */
const side = 512;
const mask = side - 1;

/** Noise of two sizes of grain, zero on average, that tiles without a seam. */
function tileableTexture(seed: number, fineGrain: number, coarseGrain: number): Float32Array {
  const fine = smoothNoise(seed, fineGrain);
  const coarse = smoothNoise(seed + 100, coarseGrain);
  return fine.map((value, index) => value * 0.6 + (coarse[index] ?? 0) * 0.4);
}

/** Random values on a lattice `grain` pixels apart, joined bilinearly. Values from -1 to 1. */
function smoothNoise(seed: number, grain: number): Float32Array {
  const random = seededRandom(seed);
  const cells = side / grain;
  const lattice = Float32Array.from({ length: cells * cells }, () => random() * 2 - 1);
  const at = (x: number, y: number): number => lattice[(y % cells) * cells + (x % cells)] ?? 0;
  return Float32Array.from({ length: side * side }, (_, index) => {
    const [x, y] = [(index & mask) / grain, Math.floor(index / side) / grain];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, bottom] = [x - left, y - top];
    const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
    const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
    return upper * (1 - bottom) + lower * bottom;
  });
}

function stillPicture({ width, height }: PictureShape, texture: Float32Array): Uint8Array {
  const picture = new Uint8Array((width * height * 3) / 2).fill(grey);
  const stillAt = sampler(texture, 0, 0);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) picture[y * width + x] = grey + stillAt(x, y) * slowPeak;
  fillChroma(picture.subarray(width * height), width / 2, height / 2);
  return picture;
}

/** Reads a texture that is moved by whole pixels; `side` keeps the place above zero. */
function sampler(texture: Float32Array, moveX: number, moveY: number): (x: number, y: number) => number {
  const [atX, atY] = [Math.round(moveX) + side, Math.round(moveY) + side];
  return (x, y) => texture[((y + atY) & mask) * side + ((x + atX) & mask)] ?? 0;
}

/** Still tints: a grey picture would be easier than what cameras give. */
function fillChroma(planes: Uint8Array, width: number, height: number): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const place = y * width + x;
      planes[place] = grey + 24 * Math.sin((x / width) * 3);
      planes[place + width * height] = grey + 24 * Math.cos((y / height) * 3);
    }
  }
}
