import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Media } from '../../../model/plan.js';
import { cameraClip, clipBytes } from './camera-clip.js';
import { mediaFiles, voiceClip, voiceClipBytes } from './media-files.js';

const small = { width: 64, height: 36, framesPerSecond: 10, frames: 30 };
const media: Media = { width: 64, height: 36, framesPerSecond: 10, videoKbps: 500, videoCodec: 'VP8' };

/** Mean difference of two frames' bytes: how much work one is after the other. */
function distance(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

test('the clip is the same every time, has the size it says, and starts as Chromium expects', () => {
  const [one, other] = [cameraClip(small), cameraClip(small)];
  expect(one.header.toString()).toBe('YUV4MPEG2 W64 H36 F10:1 Ip A1:1 C420\n');
  expect(one.frame(7).equals(other.frame(7))).toBe(true);
  expect(one.frame(0).subarray(0, 6).toString()).toBe('FRAME\n');
  expect(one.header.length + small.frames * one.frame(0).length).toBe(clipBytes(small));
});

test('the clip moves in every frame, and its loop is no larger step than any other', () => {
  const clip = cameraClip({ ...small, width: 320, height: 180 });
  const frames = Array.from({ length: small.frames }, (_, index) => clip.frame(index));
  const steps = frames.map((frame, index) => distance(frame, frames[(index + 1) % frames.length] ?? frame));
  expect(Math.min(...steps)).toBeGreaterThan(1);
  expect(steps.at(-1)).toBeLessThanOrEqual(1.3 * Math.max(...steps.slice(0, -1)));
});

test('sides that 4:2:0 cannot have are refused', () => {
  expect(() => cameraClip({ ...small, width: 63 })).toThrow('even sides');
});

test('the voice is heard in every tenth of a second and never clips', () => {
  const wav = voiceClip();
  expect(wav.length).toBe(voiceClipBytes);
  expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect(wav.readUInt32LE(24)).toBe(48_000);
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2);
  for (let start = 0; start + 4800 <= samples.length; start += 4800) {
    const loudest = samples.subarray(start, start + 4800).reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
    expect(loudest).toBeGreaterThan(300);
    expect(loudest).toBeLessThan(32_000);
  }
});

test('clips are made once, and one that was cut short is made anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-media-test-'));
  try {
    const files = await mediaFiles(folder, media);
    const made = await stat(files.camera);
    expect(made.size).toBe(clipBytes(small));
    await mediaFiles(folder, media);
    expect((await stat(files.camera)).mtimeMs).toBe(made.mtimeMs);
    const whole = await readFile(files.camera);
    await truncate(files.camera, 1000);
    await Promise.all([mediaFiles(folder, media), mediaFiles(folder, media)]);
    expect((await readFile(files.camera)).equals(whole)).toBe(true);
    expect(await readdir(folder), 'nothing unfinished is left').toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('other media settings give another file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-media-test-'));
  try {
    const one = await mediaFiles(folder, media);
    const other = await mediaFiles(folder, { ...media, framesPerSecond: 12 });
    expect(other.camera).not.toBe(one.camera);
    expect(other.microphone).toBe(one.microphone);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
