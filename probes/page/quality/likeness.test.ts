import { expect, test } from '@playwright/test';
import { CameraPictures } from '../../../model/camera-picture.js';
import { likeness } from './likeness.js';
import { SentPictures, scaled } from './sent-pictures.js';

const size = { width: 320, height: 180 } as const;
const shape = { ...size, framesPerSecond: 30 };
const camera = new CameraPictures({ ...size, frames: 90 });
const stepsOf = (luma: Uint8Array, step: number) => luma.map((level) => Math.floor(level / step) * step + step / 2);

/** As a server or an encoder scales: each pixel is the mean of those under it. */
function smaller(luma: Uint8Array, by: number) {
  const [width, height] = [size.width / by, size.height / by];
  const bytes = new Uint8Array(width * height).map((_, place) => {
    const [x, y] = [(place % width) * by, Math.floor(place / width) * by];
    let sum = 0;
    for (let nth = 0; nth < by * by; nth += 1)
      sum += luma[(y + Math.floor(nth / by)) * size.width + x + (nth % by)] ?? 0;
    return sum / by ** 2;
  });
  return { bytes, stride: width, width, height };
}

test('likeness is that of FFmpeg 5.1 (filters ssim and psnr, luma)', () => {
  const sent = camera.luma(7);
  for (const [step, ssim, psnrDb] of [
    [8, 0.984581, 40.74414],
    [32, 0.807766, 28.804596],
    [64, 0.591751, 21.882272],
  ] as const) {
    const found = likeness(sent, stepsOf(sent, step), size.width);
    expect(found.ssim).toBeCloseTo(ssim, 5);
    expect(found.psnrDb).toBeCloseTo(psnrDb, 2);
  }
});

test('a picture is like itself, and not like noise or one of one colour', () => {
  const sent = camera.luma(0);
  expect(likeness(sent, sent, size.width)).toEqual({ ssim: 1, psnrDb: 100 });
  const shifted = sent.map((level) => level + 10);
  expect(likeness(sent, shifted, size.width).psnrDb).toBeCloseTo(20 * Math.log10(255 / 10), 9);
  const black = likeness(sent, new Uint8Array(sent.length).fill(16), size.width);
  expect(black.ssim).toBeLessThan(0.1);
});

test('the picture that was sent is found by what came of it, however small or coarse that is', () => {
  const pictures = new SentPictures(shape);
  for (const index of [0, 1, 44, 89]) {
    const sent = camera.luma(index);
    expect(pictures.nearest(sent)).toBe(index);
    expect(pictures.nearest(stepsOf(sent, 64))).toBe(index);
    for (const by of [2, 4]) {
      const half = smaller(sent, by);
      expect(pictures.nearest(scaled(half, size.width, size.height)), `a ${by}th of ${index}`).toBe(index);
    }
  }
});

test('the smaller and coarser what came is, the less like it is, and a drawn mark counts for nothing', () => {
  const pictures = new SentPictures(shape);
  const sent = camera.luma(30);
  const whole = { bytes: sent, stride: size.width, ...size };
  const marked = sent.slice().fill(40, 0, Math.floor(size.height * 0.15) * size.width);
  expect(pictures.compare({ ...whole, bytes: marked })).toMatchObject({ ssim: 1, psnrDb: 100 });
  const [half, quarter] = [2, 4].map((by) => pictures.compare(smaller(sent, by)).ssim) as [number, number];
  const [fine, coarse] = [16, 64].map((step) => pictures.compare({ ...whole, bytes: stepsOf(sent, step) }).ssim) as [
    number,
    number,
  ];
  expect(half).toBeLessThan(1);
  expect(quarter).toBeLessThan(half);
  expect(coarse).toBeLessThan(fine);
});
