import { expect, test } from '@playwright/test';
import { times } from '../../../tests/effort.js';
import { cameraClip } from '../../chromium/media/camera-clip.js';
import { type DrawnMark, drawMark, isBlank, readDrawn, stripShare, takenMsOf, tickOf } from './drawn-mark.js';
import { Tiles } from './tiles.js';

const size = { width: 640, height: 360 } as const;
const frameHead = 6;

function camera(nth = 0): Uint8Array {
  return cameraClip({ ...size, framesPerSecond: 30, frames: 90 })
    .frame(nth)
    .subarray(frameHead);
}

const marks: readonly DrawnMark[] = [
  { sender: 0, clock: 0, tick: 0 },
  { sender: 0xffffffff, clock: 4095, tick: 4095 },
  { sender: 0x811c9dc5, clock: 1234, tick: 77 },
];

/** Scaled as a mixer does, each pixel the mean of those under it. */
function scaled(from: Uint8Array, to: { readonly width: number; readonly height: number }): Uint8Array {
  const out = new Uint8Array(to.width * to.height);
  const [byX, byY] = [size.width / to.width, size.height / to.height];
  for (let y = 0; y < to.height; y += 1)
    for (let x = 0; x < to.width; x += 1) {
      let [sum, count] = [0, 0];
      for (let v = Math.floor(y * byY); v < Math.max((y + 1) * byY, Math.floor(y * byY) + 1); v += 1)
        for (let u = Math.floor(x * byX); u < Math.max((x + 1) * byX, Math.floor(x * byX) + 1); u += 1) {
          sum += from[v * size.width + u] ?? 0;
          count += 1;
        }
      out[y * to.width + x] = sum / count;
    }
  return out;
}

/** Of each cell of a drawn mark. */
const middles = Array.from({ length: 84 }, (_, nth) => {
  const [column, row] = [nth % 21, Math.floor(nth / 21)];
  const y = Math.round(((row + 0.5) * 0.15 * size.height) / 4);
  return y * size.width + Math.round(((column + 0.5) * 0.75 * size.width) / 21);
});

function drawn(mark: DrawnMark): Uint8Array {
  const picture = camera();
  drawMark(mark, { bytes: picture, stride: size.width }, size);
  return picture;
}

test('what is drawn is read, at every size down to a tile of a room of sixteen', () => {
  for (const mark of marks)
    for (const to of [size, { width: 320, height: 180 }, { width: 400, height: 300 }, { width: 200, height: 150 }])
      expect(readDrawn({ bytes: scaled(drawn(mark), to), stride: to.width }, { x: 0, y: 0, ...to })).toEqual(mark);
});

test('nothing of the picture changes below the strip', () => {
  const [plain, marked] = [camera(), drawn(marks[2] as DrawnMark)];
  const from = Math.ceil(size.height * stripShare) * size.width;
  expect(Buffer.from(marked.subarray(from)).equals(Buffer.from(plain.subarray(from)))).toBe(true);
});

test('a picture without a mark has none, and neither has one of which a cell was read wrong', () => {
  expect(readDrawn({ bytes: camera(), stride: size.width }, { x: 0, y: 0, ...size })).toBeUndefined();
  const marked = drawn(marks[2] as DrawnMark);
  for (const at of middles) {
    const picture = marked.slice();
    const level = picture[at] === 40 ? 214 : 40;
    for (let y = -6; y <= 6; y += 1) picture.fill(level, at + y * size.width - 11, at + y * size.width + 11);
    expect(readDrawn({ bytes: picture, stride: size.width }, { x: 0, y: 0, ...size })).toBeUndefined();
  }
});

test('from tick to tick two cells change at most, across the turn of their range, too', () => {
  const cellsAt = (tick: number) => {
    const picture = new Uint8Array(size.width * size.height);
    drawMark({ sender: 0x811c9dc5, clock: 1234, tick: tick % 4096 }, { bytes: picture, stride: size.width }, size);
    return middles.map((at) => picture[at]);
  };
  for (let tick = 1; tick <= 4096; tick += times(45, 9)) {
    const before = cellsAt(tick - 1);
    const now = cellsAt(tick);
    expect(now.filter((level, nth) => level !== before[nth]).length, `tick ${tick}`).toBeLessThanOrEqual(2);
  }
});

test('in a mix each tile says who is in it, whether tiles keep the shape of their pictures or not', () => {
  const mix = { width: 800, height: 600 } as const;
  for (const high of [300, 225]) {
    const bytes = new Uint8Array(mix.width * mix.height);
    for (const [nth, mark] of marks.entries()) {
      const tile = scaled(drawn(mark), { width: 400, height: high });
      const [left, top] = [(nth % 2) * 400, Math.floor(nth / 2) * 300 + Math.floor((300 - high) / 2)];
      for (let y = 0; y < high; y += 1) bytes.set(tile.subarray(y * 400, (y + 1) * 400), (top + y) * 800 + left);
    }
    expect(new Tiles(size).read({ bytes, stride: mix.width }, mix)).toEqual(marks);
  }
});

test('the time comes back to 16 ms, of up to a minute ago, across the turn of its range, and of a clock that is ahead', () => {
  const nowMs = 1_795_000_000_123.4;
  for (const agoMs of [0, 3, 90, 4321, 15_000, 60_000, -200]) {
    const takenMs = nowMs - agoMs;
    expect(Math.abs(takenMsOf(tickOf(takenMs), nowMs) - takenMs)).toBeLessThanOrEqual(8.001);
  }
});

test('black and green are blank; the camera is not, and neither is its mark', () => {
  const strip = [size.width, Math.floor(size.height * stripShare)] as const;
  for (const level of [16, 145])
    expect(isBlank({ bytes: new Uint8Array(size.width * size.height).fill(level), stride: size.width }, ...strip)).toBe(
      true,
    );
  expect(isBlank({ bytes: camera(), stride: size.width }, ...strip)).toBe(false);
  expect(isBlank({ bytes: drawn(marks[2] as DrawnMark), stride: size.width }, ...strip)).toBe(false);
});
