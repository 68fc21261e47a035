import { expect, test } from '@playwright/test';
import { beginsKeyFrame } from './key-frames.js';

const bytes = (...values: number[]): Buffer => Buffer.from(values);

const heads: readonly (readonly [string, Buffer, boolean | undefined])[] = [
  ['vp8/90000', bytes(0x10, 0x00), true],
  ['vp8/90000', bytes(0x10, 0x01), false],
  ['vp8/90000', bytes(), false],
  // VP9: B alone; with P; without B; with a picture id of two bytes, lowest layer and another.
  ['vp9/90000/0', bytes(0x08, 0x82), true],
  ['vp9/90000/0', bytes(0x48, 0x82), false],
  ['vp9/90000/0', bytes(0x00, 0x82), false],
  ['vp9/90000/0', bytes(0xa8, 0x80, 0x01, 0x00, 0x00), true],
  ['vp9/90000/0', bytes(0xa8, 0x80, 0x01, 0x02, 0x00), false],
  // H.264: IDR, SPS, P slice; SPS and PPS in one packet; first and later part of an IDR.
  ['h264/90000/1/42e0', bytes(0x65, 0x88), true],
  ['h264/90000/1/42e0', bytes(0x67, 0x42), true],
  ['h264/90000/1/42e0', bytes(0x61, 0x88), false],
  ['h264/90000/1/42e0', bytes(0x78, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xce), true],
  ['h264/90000/1/42e0', bytes(0x78, 0, 2, 0x61, 0x42, 0, 2, 0x61, 0xce), false],
  ['h264/90000/1/42e0', bytes(0x7c, 0x85, 0x88), true],
  ['h264/90000/1/42e0', bytes(0x7c, 0x05, 0x88), false],
  // H.265: IDR, VPS, a trailing picture; first part of an IDR.
  ['h265/90000', bytes(0x26, 0x01), true],
  ['h265/90000', bytes(0x40, 0x01), true],
  ['h265/90000', bytes(0x02, 0x01), false],
  ['h265/90000', bytes(0x62, 0x01, 0x93), true],
  ['h265/90000', bytes(0x60, 0x01, 0, 2, 0x40, 0x01, 0, 2, 0x42, 0x01), true],
  // AV1: the packet that begins a sequence, and another.
  ['av1/90000/0', bytes(0x18, 0x0a), true],
  ['av1/90000/0', bytes(0x10, 0x32), false],
  ['theora/90000', bytes(0x00), undefined],
];

test('the first packet of a key frame is told from all others, by the payload format of each codec', () => {
  for (const [codec, payload, begins] of heads) {
    expect(beginsKeyFrame(codec, payload), `${codec} ${payload.toString('hex')}`).toBe(begins);
  }
});
