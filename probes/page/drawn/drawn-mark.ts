import { drawnAheadMs, drawnRangeMs } from '../../../model/clock-times.js';
import { hashOfBytes, spread } from '../../../model/text-hash.js';

/**
 * A mark in the picture itself: a strip of black and white cells at its top left, which encoders, mixers and scalers
 * leave readable. It says who sends the picture, and when it was taken.
 */
export interface DrawnMark {
  /** `senderOf` of a participant. */
  readonly sender: number;
  /** By whose clock: `clockOf`. */
  readonly clock: number;
  /** When it was taken, in ticks of 16 ms, of which it has the last 12 bits. */
  readonly tick: number;
}

/** A plane of luma, or a part of it. */
export interface Luma {
  readonly bytes: Uint8Array;
  readonly stride: number;
}

/** Where a picture is, in pixels; within it the strip is found. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const columns = 21;
const rows = 4;
/** Of the picture's width, from its left: some mixers cut pictures of another shape than their tile at its right. */
const widthShare = 0.75;
/** Of the picture's height: what moves in it begins below (`CameraPictures`). */
export const stripShare = 0.15;
const black = 40;
const white = 214;
/** Cells nearer to each other than that are no mark: the picture's own texture is, blurred over a cell. */
const leastContrast = 60;
const tickBits = 12;
const payloadBytes = 7;
const checkBits = columns * rows - 8 * payloadBytes;
const ticks = 2 ** tickBits;
const tickMs = drawnRangeMs / ticks;

export const tickOf = (timeMs: number): number => Math.floor(timeMs / tickMs) % ticks;

/** When a picture was taken that is seen now: up to a minute ago, to 16 ms. */
export function takenMsOf(tick: number, nowMs: number): number {
  const behind = (tickOf(nowMs) - tick + ticks) % ticks;
  const ago = behind * tickMs > drawnRangeMs - drawnAheadMs ? behind - ticks : behind;
  return (Math.floor(nowMs / tickMs) - ago) * tickMs + tickMs / 2;
}

/**
 * The check covers the sender and its clock; one parity bit covers the time. What changes in a picture costs bit rate.
 * So the time is in a Gray code, of which one cell differs from tick to tick.
 */
function checkOf(payload: Uint8Array): number {
  const [mixed = 0, last = 0] = payload.subarray(5);
  const steady = spread(hashOfBytes(payload.with(5, mixed & 0xf0).with(6, 0)));
  let parity = ((mixed & 0x0f) << 8) | last;
  for (const by of [8, 4, 2, 1]) parity ^= parity >> by;
  return ((steady >>> (33 - checkBits)) << 1) | (parity & 1);
}

const grayOf = (tick: number): number => tick ^ (tick >> 1);

function tickOfGray(gray: number): number {
  let tick = gray;
  for (const by of [1, 2, 4, 8]) tick ^= tick >> by;
  return tick;
}

function cellsOf({ sender, clock, tick }: DrawnMark): Uint8Array {
  const payload = new Uint8Array(payloadBytes);
  new DataView(payload.buffer).setUint32(0, sender);
  const times = clock * 2 ** tickBits + grayOf(tick);
  payload.set([times >>> 16, times >>> 8, times], 4);
  const cells = new Uint8Array(columns * rows);
  for (let bit = 0; bit < 8 * payloadBytes; bit += 1) cells[bit] = ((payload[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
  const check = checkOf(payload);
  for (let bit = 0; bit < checkBits; bit += 1) cells[8 * payloadBytes + bit] = (check >>> (checkBits - 1 - bit)) & 1;
  return cells;
}

/** At the top left of a picture that begins where the bytes do. */
export function drawMark(mark: DrawnMark, { bytes, stride }: Luma, { width, height }: Omit<Place, 'x' | 'y'>): void {
  const cells = cellsOf(mark);
  for (let row = 0; row < rows; row += 1) {
    const top = edge(row, rows, height * stripShare);
    for (let column = 0; column < columns; column += 1) {
      const [from, to] = [column, column + 1].map((nth) => edge(nth, columns, width * widthShare)) as [number, number];
      bytes.fill(cells[row * columns + column] ? white : black, top * stride + from, top * stride + to);
    }
    const bottom = edge(row + 1, rows, height * stripShare);
    for (let y = top + 1; y < bottom; y += 1)
      bytes.copyWithin(y * stride, top * stride, top * stride + Math.round(width * widthShare));
  }
}

const edge = (nth: number, of: number, length: number): number => Math.round((nth * length) / of);

/** The mark of a picture in that place; `undefined` where none is to be read. */
export function readDrawn(luma: Luma, place: Place): DrawnMark | undefined {
  const levels = levelsOf(luma, place);
  if (!levels) return undefined;
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  if (high - low < leastContrast) return undefined;
  const middle = (low + high) / 2;
  const payload = new Uint8Array(payloadBytes);
  let check = 0;
  levels.forEach((level, nth) => {
    const bit = level > middle ? 1 : 0;
    if (nth >= 8 * payloadBytes) check = (check << 1) | bit;
    else if (bit) payload[nth >> 3] = (payload[nth >> 3] ?? 0) | (128 >> (nth & 7));
  });
  if (check !== checkOf(payload)) return undefined;
  const times = ((payload[4] ?? 0) << 16) | ((payload[5] ?? 0) << 8) | (payload[6] ?? 0);
  const sender = new DataView(payload.buffer).getUint32(0);
  return { sender, clock: times >>> tickBits, tick: tickOfGray(times % ticks) };
}

/** Of each cell the mean of its middle: its edges are blurred into its neighbours. */
function levelsOf({ bytes, stride }: Luma, { x, y, width, height }: Place): Float32Array | undefined {
  const [wide, high] = [(width * widthShare) / columns, (height * stripShare) / rows];
  if (wide < 3 || high < 3) return undefined;
  const levels = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const [top, bottom] = [Math.round(y + (row + 0.3) * high), Math.round(y + (row + 0.7) * high)];
    for (let column = 0; column < columns; column += 1) {
      const [left, right] = [Math.round(x + (column + 0.3) * wide), Math.round(x + (column + 0.7) * wide)];
      let sum = 0;
      for (let line = top; line < Math.max(bottom, top + 1); line += 1)
        for (let at = left; at < Math.max(right, left + 1); at += 1) sum += bytes[line * stride + at] ?? 0;
      levels[row * columns + column] = sum / (Math.max(bottom - top, 1) * Math.max(right - left, 1));
    }
  }
  return levels;
}

/** All of one colour, as pictures of this project never are. */
const leastSpread = 12;

/** Whether these lines are black, green or of another one colour. */
export function isBlank({ bytes, stride }: Luma, width: number, height: number): boolean {
  let [low, high] = [255, 0];
  for (let y = 0; y < height; y += 3)
    for (let x = 0; x < width; x += 3) {
      const level = bytes[y * stride + x] ?? 0;
      low = Math.min(low, level);
      high = Math.max(high, level);
      if (high - low >= leastSpread) return false;
    }
  return true;
}
