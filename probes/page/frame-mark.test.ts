import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { clockOf, senderOf } from '../../model/sender-mark.js';
import { markBytes, readMark, writeMark } from './frame-mark.js';
import { MarkCounts, withFigures } from './mark-counts.js';

const random = seededRandom(11);
const someBytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(256 * random()));

test('a mark is read back as it was written, behind whatever frame, and none of its bytes is a zero', () => {
  for (let nth = 0; nth < 500; nth += 1) {
    const frame = someBytes(Math.floor(40 * random()));
    const mark = {
      sender: senderOf(`${nth}a`),
      clock: clockOf(`host ${nth}`),
      takenUs: Math.floor(1.7e15 + 1e14 * random()),
    };
    const marked = new Uint8Array(frame.length + markBytes);
    marked.set(frame);
    writeMark(mark, marked, frame.length);
    expect(readMark(marked)).toEqual(mark);
    expect(marked.subarray(frame.length).every((byte) => byte >= 128)).toBe(true);
  }
});

test('nothing else reads as a mark: no chance bytes, and no mark that has one bit changed, or is cut', () => {
  const mark = new Uint8Array(markBytes);
  writeMark({ sender: senderOf('1a'), clock: 7, takenUs: 1.75e15 }, mark);
  const withOneChanged = (bit: number) => mark.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
  const bits = Array.from({ length: 8 * markBytes }, (_, bit) => bit);
  expect(bits.filter((bit) => readMark(withOneChanged(bit)) !== undefined)).toEqual([]);
  for (let length = 0; length < markBytes; length += 1) expect(readMark(mark.subarray(0, length))).toBeUndefined();
  const byChance = Array.from({ length: 20_000 }, () => readMark(someBytes(64)));
  expect(byChance.filter((one) => one !== undefined)).toEqual([]);
});

const sample = { leg: '1a', direction: 'receive', kind: 'video', metrics: { framesReceived: 2 } } as const;
const markOf = (participant: string, takenMs: number, clock = 1) => ({
  sender: senderOf(participant),
  clock,
  takenUs: 1000 * takenMs,
});

test('of a stream that never had a mark nothing is told; later, frames without one are counted', () => {
  const counts = new MarkCounts(1, senderOf('1b'));
  counts.note(undefined, 1000);
  expect(counts.take()).toBeUndefined();
  counts.note(markOf('1b', 1000), 1020);
  counts.note(undefined, 1060);
  expect(withFigures(sample, counts.take())).toEqual({
    ...sample,
    metrics: { framesReceived: 2, markedFrames: 1, unmarkedFrames: 1, foreignFrames: 0, delayMs: 20, delayMaxMs: 20 },
  });
});

test('who is seen in whose place is told, and times by the clock of another host are no delay yet', () => {
  const counts = new MarkCounts(1, senderOf('1b'));
  counts.note(markOf('1b', 1000, 2), 1020);
  counts.note(markOf('2a', 1000, 2), 1020);
  expect(withFigures(sample, counts.take())).toEqual({
    ...sample,
    metrics: { framesReceived: 2, markedFrames: 2, unmarkedFrames: 0, foreignFrames: 1 },
    foreignSender: senderOf('2a'),
    byClock: [{ of: 'delay', clock: 2, count: 2, meanMs: 20, maxMs: 20 }],
  });
});

test('where no one sender is expected nobody is foreign, and of a second whose frames are unknown nothing is told', () => {
  const counts = new MarkCounts(1);
  counts.note(markOf('2a', 1000), 1030);
  const figures = counts.take();
  expect(withFigures(sample, figures)).not.toHaveProperty('metrics.foreignFrames');
  expect(withFigures({ ...sample, metrics: {}, restarted: true }, figures).metrics).toEqual({});
});
