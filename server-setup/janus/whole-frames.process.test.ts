import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { hasConverter, packetsOfVp8, type RecordedPacket, writeRecording } from '../../tests/janus-recording.js';
import { hasFfmpeg } from '../../tests/recorded-files.js';
import { checkRecording } from '../recordings/check-recording.js';
import { converted } from '../recordings/raw-recording.js';
import { copyWholeFrames } from './room-recorder.js';

const { signal } = new AbortController();
let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-whole-frames-test-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

/** What is copied of a recording, in bytes. */
async function copied(packets: readonly RecordedPacket[]): Promise<number> {
  const [from, to] = [join(folder, 'from.mjr'), join(folder, 'to.mjr')];
  writeRecording(from, packets);
  await rm(to, { force: true });
  await copyWholeFrames(from, to);
  expect((await readFile(from)).subarray(0, (await stat(to)).size).equals(await readFile(to))).toBe(true);
  return (await stat(to)).size;
}

async function sizeOf(packets: readonly RecordedPacket[]): Promise<number> {
  const path = join(folder, 'measure.mjr');
  writeRecording(path, packets);
  return (await stat(path)).size;
}

const packet = (frame: number, endsFrame: boolean): RecordedPacket => ({
  sequence: 0,
  frame,
  timestamp: 3000 * frame,
  endsFrame,
  payload: Buffer.alloc(50, frame),
});

test('what follows the last packet that ends a frame is left out, but for packets of that frame that were sent again', async () => {
  const whole = [packet(1, false), packet(1, true), packet(2, false), packet(2, true)];
  expect(await copied(whole)).toBe(await sizeOf(whole));
  expect(await copied([...whole, packet(3, false), packet(3, false)])).toBe(await sizeOf(whole));
  const again = [...whole, packet(2, false)];
  expect(await copied([...again, packet(3, false)])).toBe(await sizeOf(again));
});

test('packets of nothing are passed over by the hundred thousand', async () => {
  const path = join(folder, 'empty.mjr');
  await writeFile(path, Buffer.concat([Buffer.alloc(5_000_000, 'MEET\0\0\0\0\0\0'), Buffer.alloc(8)]));
  const began = performance.now();
  await copyWholeFrames(path, join(folder, 'copy.mjr'));
  expect(performance.now() - began).toBeLessThan(3000);
});

test('a recording in which no frame ends is copied as it is', async () => {
  const packets = [packet(1, false), packet(1, false)];
  expect(await copied(packets)).toBe(await sizeOf(packets));
});

test.describe('a recorded picture', () => {
  test.skip(!hasFfmpeg || !hasConverter, 'needs ffmpeg and janus-pp-rec (apt-get install ffmpeg janus-tools)');
  const framesPerSecond = 15;
  const seconds = 3;
  const expected = { durationMs: seconds * 1000, kinds: ['video'] as const, framesPerSecond };

  async function problemsOf(packets: readonly RecordedPacket[], keepShare = 1): Promise<readonly string[]> {
    const [path, made] = [join(folder, '1a-1.mjr'), join(folder, '1a-1.webm')];
    writeRecording(path, packets);
    await truncate(path, Math.floor((await stat(path)).size * keepShare));
    const raw = { path, converter: 'janus-pp-rec', install: '', copyWhole: copyWholeFrames };
    expect(await converted(raw, made, signal)).toBeUndefined();
    return (await checkRecording(made, expected)).map(({ code }) => code);
  }

  test('that was stopped in the middle of a frame is whole, and one that lacks the begin of a frame, or half of itself, is not', async () => {
    const packets = packetsOfVp8(folder, seconds, framesPerSecond);
    const last = packets.findLastIndex(({ endsFrame }, nth) => endsFrame && packets[nth - 1]?.endsFrame === false);
    expect(await problemsOf(packets)).toEqual([]);
    expect(await problemsOf(packets.slice(0, last))).toEqual([]);
    const middle = packets.findIndex(({ frame }) => frame === 20);
    expect(packets[middle + 1]?.frame, 'of several packets').toBe(20);
    expect(await problemsOf(packets.filter((_, nth) => nth !== middle))).toEqual(['undecodable']);
    expect(await problemsOf(packets.slice(1)), 'begun in the middle of a key frame').toContain('undecodable');
    expect(await problemsOf(packets, 0.4)).toContain('duration');
  });
});
