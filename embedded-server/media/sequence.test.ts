import { expect, test } from '@playwright/test';
import { SequenceRewriter } from './sequence.js';

function numbers(rewriter: SequenceRewriter, packets: readonly [number, number, number][]): unknown[] {
  return packets.map(([sequence, timestamp, nowMs]) =>
    rewriter.rewrite(sequence, timestamp, nowMs) ? [rewriter.sequenceNumber, rewriter.timestamp] : 'dropped',
  );
}

test('gaps and reordering of the source are kept', () => {
  const rewriter = new SequenceRewriter(90_000, 99);
  expect(
    numbers(rewriter, [
      [500, 9000, 1],
      [503, 12_000, 34],
      [502, 12_000, 35],
      [504, 15_000, 67],
    ]),
  ).toEqual([
    [100, 9000],
    [103, 12_000],
    [102, 12_000],
    [104, 15_000],
  ]);
});

test('another source continues with the next number and a timestamp moved by the time between', () => {
  const rewriter = new SequenceRewriter(90_000, 99);
  numbers(rewriter, [[500, 9000, 1000]]);
  rewriter.changeSource();
  expect(
    numbers(rewriter, [
      [40_000, 777, 1500],
      [40_001, 777 + 3000, 1533],
    ]),
  ).toEqual([
    [101, 9000 + 45_000],
    [102, 9000 + 45_000 + 3000],
  ]);
});

test('a late packet from before the first one of a source has no number and is dropped', () => {
  const rewriter = new SequenceRewriter(90_000, 99);
  numbers(rewriter, [[500, 9000, 1000]]);
  rewriter.changeSource();
  expect(
    numbers(rewriter, [
      [70, 1, 2000],
      [69, 1, 2001],
      [71, 1, 2002],
    ]).map((one) => one === 'dropped'),
  ).toEqual([false, true, false]);
});

test('numbers, timestamps and the rollover counter wrap, also for a packet that comes late across the wrap', () => {
  const rewriter = new SequenceRewriter(90_000, 65_533);
  const seen = [65_534, 65_535, 1, 0].map((sequence, index) => {
    rewriter.rewrite(sequence, 0xffffffff + index, index);
    return [rewriter.sequenceNumber, rewriter.rollover];
  });
  expect(seen).toEqual([
    [65_534, 0],
    [65_535, 0],
    [1, 1],
    [0, 1],
  ]);
  rewriter.rewrite(65_535, 0, 9);
  expect([rewriter.sequenceNumber, rewriter.rollover]).toEqual([65_535, 0]);
});

test('what is left out on purpose leaves no gap, and what was lost before it still does', () => {
  const rewriter = new SequenceRewriter(90_000, 99);
  expect(numbers(rewriter, [[500, 9000, 1]])).toEqual([[100, 9000]]);
  rewriter.leaveOut(501);
  expect(numbers(rewriter, [[502, 12_000, 34]])).toEqual([[101, 12_000]]);
  // Nobody knows whether 503 was left out, too.
  rewriter.leaveOut(504);
  expect(
    numbers(rewriter, [
      [506, 15_000, 67],
      [505, 15_000, 68],
      [503, 12_000, 69],
    ]),
  ).toEqual([[104, 15_000], [103, 15_000], 'dropped']);
});
