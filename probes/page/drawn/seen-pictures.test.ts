import { expect, test } from '@playwright/test';
import type { ReceiveStreamSample } from '../../../model/sample.js';
import { type DrawnMark, takenMsOf, tickOf } from './drawn-mark.js';
import { type Look, SeenPictures } from './seen-pictures.js';

const clock = 5;
const [own, other] = [11, 22];
const mark = (tick: number, sender = own, by = clock): DrawnMark => ({ sender, clock: by, tick });
const bare: ReceiveStreamSample = { leg: '1a', direction: 'receive', kind: 'video', metrics: { framesDecoded: 30 } };

/** Looks half a second apart, 15 frames each, of pictures that were taken 100 ms before. */
function seenIn(looks: readonly (Partial<Look> & Pick<Look, 'marks'>)[], isMix = false): ReceiveStreamSample {
  const seen = new SeenPictures(clock);
  for (const [nth, look] of looks.entries())
    seen.note({
      isMix,
      isOneColour: false,
      shownMs: 500 * nth,
      presented: 15 * nth,
      expected: isMix ? undefined : own,
      takenMs: () => 500 * nth - 100,
      ...look,
    });
  return seen.take()(bare) as ReceiveStreamSample;
}

test('what was looked at is counted, and how long it took to be shown', () => {
  expect(seenIn([{ marks: [mark(1)] }, { marks: [mark(126)] }]).metrics).toEqual({
    framesDecoded: 30,
    picturesRead: 2,
    blankPictures: 0,
    stillPictures: 0,
    markedFrames: 2,
    unmarkedFrames: 0,
    foreignFrames: 0,
    shownMs: 100,
    shownMaxMs: 100,
  });
});

test('where no mark was ever read, only pictures of one colour are told', () => {
  const { metrics } = seenIn([{ marks: [] }, { marks: [], isOneColour: true }]);
  expect(metrics).toEqual({ framesDecoded: 30, picturesRead: 2, blankPictures: 1 });
});

test('a stranger is told from the third look in a row on, and one that is seen in passing is none', () => {
  const looks = (...senders: number[]) => senders.map((sender, nth) => ({ marks: [mark(125 * nth, sender)] }));
  const wrong = seenIn(looks(other, other, other, other));
  expect([wrong.metrics.foreignFrames, wrong.foreignSender]).toEqual([2, other]);
  for (const senders of [
    [other, other, own, other, other],
    [other, 33, other, 33, other],
  ])
    expect(seenIn(looks(...senders)).metrics.foreignFrames).toBe(0);
});

test('a picture stands still where frames were shown and its mark is that of the look before', () => {
  const still = seenIn([{ marks: [mark(7)] }, { marks: [mark(7)] }, { marks: [mark(250)] }]);
  expect(still.metrics.stillPictures).toBe(1);
  const slow = seenIn([{ marks: [mark(7)] }, { marks: [mark(7)], presented: 2 }]);
  expect(slow.metrics.stillPictures, 'hardly a frame was shown: getStats tells that').toBe(0);
});

test('times by another clock are no metrics yet, and of those one that is far from the others is taken for misread', () => {
  const drawn = (...ms: readonly number[]) =>
    seenIn(ms.map((one, nth) => ({ marks: [mark(nth, own, 6)], shownMs: 0, takenMs: () => -one })));
  // The range of what is drawn begins anew between the second and the third.
  const { metrics, byClock } = drawn(64_400, 64_480, -936, 64_400, 30_000, 64_450, 64_450);
  expect(metrics.shownMs).toBeUndefined();
  expect(byClock).toEqual([{ of: 'shown', clock: 6, count: 4, meanMs: expect.any(Number), maxMs: 64_600 }]);
});

test('times that cannot be are none', () => {
  for (const takenMs of [() => 90, () => -61_000]) {
    const look = { marks: [mark(1)], shownMs: 0, takenMs };
    expect(seenIn([look, look, look]).metrics.shownMs).toBeUndefined();
  }
});

test('pictures that come late by up to a minute are timed, and one late time among others is taken for misread', () => {
  const nowMs = 1_795_000_000_000;
  const look = (nth: number, lateMs: number): Look => {
    const shownMs = nowMs + 500 * nth;
    const takenMs = ({ tick }: DrawnMark) => takenMsOf(tick, shownMs);
    const marks = [mark(tickOf(shownMs - lateMs))];
    return { marks, isMix: false, isOneColour: false, shownMs, presented: 15 * nth, expected: own, takenMs };
  };
  const shown = (...lateMs: readonly number[]) => seenIn(lateMs.map((ms, nth) => look(nth, ms))).metrics;
  for (const lateMs of [100, 13_000, 15_000, 30_000, 59_000]) {
    const { shownMs = 0, shownMaxMs = 0 } = shown(lateMs, lateMs, lateMs, lateMs);
    expect(Math.abs(shownMs - lateMs), `${lateMs} ms late`).toBeLessThanOrEqual(8);
    expect(Math.abs(shownMaxMs - lateMs), `${lateMs} ms late`).toBeLessThanOrEqual(8);
  }
  expect(shown(100, 30_000, 100, 30_000, 100).shownMaxMs).toBeLessThan(110);
});

test('of a mix it is told who is in it', () => {
  const sample = seenIn([{ marks: [mark(1), mark(1, other)] }, { marks: [mark(126)] }], true);
  expect(sample.seen).toEqual([
    [own, 2],
    [other, 1],
  ]);
  expect(sample.metrics.foreignFrames).toBeUndefined();
});
