import { seededRandom } from '../../../model/seeded-random.js';

export interface ClipShape {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Length of the loop. */
  readonly frames: number;
}

/**
 * The fake camera's picture: like in a call, something moves in the middle and the background stands still. What moves
 * is two transparent layers of fine texture that drift along closed curves in different directions. Where two motions
 * overlap no single motion vector fits, so that the blocks leave a residual and a VP8 encoder spends all the bits it is
 * given, in every frame alike; an easy picture would leave the server half loaded (Chromium's own test pattern needs
 * about 200 kbit/s). The still background keeps encoding cheap. The curves are closed: the last frame is as near to the
 * first as any two neighbours, and the loop forces no large frame.
 */
export function cameraClip(shape: ClipShape): { readonly header: Buffer; frame(index: number): Buffer } {
  checkShape(shape);
  const slow = tileableTexture(1, 4, 8);
  const fast = tileableTexture(2, 4, 8);
  const still = stillFrame(shape, slow);
  return { header: y4mHeader(shape), frame: (index) => y4mFrame(shape, { slow, fast, still }, index) };
}

/** Exact size of the clip's file, by which a truncated one is found out. */
export function clipBytes(shape: ClipShape): number {
  return y4mHeader(shape).length + shape.frames * (frameMarker.length + (shape.width * shape.height * 3) / 2);
}

const grey = 126;
const frameMarker = Buffer.from('FRAME\n');

/** YUV4MPEG2 as Chromium's file camera reads it: 4:2:0, progressive, square pixels. */
function y4mHeader({ width, height, framesPerSecond }: ClipShape): Buffer {
  return Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420\n`);
}

function checkShape({ width, height, frames }: ClipShape): void {
  if (width % 2 !== 0 || height % 2 !== 0 || frames < 2) {
    throw new RangeError(
      `a 4:2:0 clip needs even sides and two frames or more, not ${width}x${height}, ${frames} frames`,
    );
  }
}

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

/** Peak of each layer in luma steps: enough to fill 1 Mbit/s at 640x360 and 30 fps, low enough to encode cheaply. */
const slowPeak = 60;
const fastPeak = 20;
/** The part of the picture that moves, measured from its middle and its top. */
const movingWidth = 0.2;
const stillTop = 0.15;

interface Layers {
  readonly slow: Float32Array;
  readonly fast: Float32Array;
  /** A frame in which nothing moves yet: all that is the same in each. */
  readonly still: Buffer;
}

function stillFrame({ width, height }: ClipShape, texture: Float32Array): Buffer {
  const buffer = Buffer.alloc(frameMarker.length + (width * height * 3) / 2, grey);
  frameMarker.copy(buffer);
  const stillAt = sampler(texture, 0, 0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      buffer[frameMarker.length + y * width + x] = grey + stillAt(x, y) * slowPeak;
    }
  }
  fillChroma(buffer, frameMarker.length + width * height, width / 2, height / 2);
  return buffer;
}

function y4mFrame({ width, height, frames }: ClipShape, { slow, fast, still }: Layers, index: number): Buffer {
  const buffer = Buffer.from(still);
  const turn = (2 * Math.PI * index) / frames;
  const slowAt = sampler(slow, 60 * Math.cos(turn), 30 * Math.sin(turn));
  const fastAt = sampler(fast, 50 * Math.sin(2 * turn), 60 * Math.cos(turn));
  const left = Math.ceil(width * (0.5 - movingWidth / 2));
  const right = width * (0.5 + movingWidth / 2);
  for (let y = Math.ceil(height * stillTop); y < height; y += 1) {
    for (let x = left; x < right; x += 1) {
      buffer[frameMarker.length + y * width + x] = grey + slowAt(x, y) * slowPeak + fastAt(x, y) * fastPeak;
    }
  }
  return buffer;
}

/** Reads a texture that is moved by whole pixels; `side` keeps the place above zero. */
function sampler(texture: Float32Array, moveX: number, moveY: number): (x: number, y: number) => number {
  const [atX, atY] = [Math.round(moveX) + side, Math.round(moveY) + side];
  return (x, y) => texture[((y + atY) & mask) * side + ((x + atX) & mask)] ?? 0;
}

/** Still tints: a grey picture would be easier than what cameras give. */
function fillChroma(buffer: Buffer, from: number, width: number, height: number): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const place = from + y * width + x;
      buffer[place] = grey + 24 * Math.sin((x / width) * 3);
      buffer[place + width * height] = grey + 24 * Math.cos((y / height) * 3);
    }
  }
}
