import { expect, test } from '@playwright/test';
import { markBytes, writeMark } from '../page/frame-mark.js';
import { MarkCounts } from '../page/mark-counts.js';
import { markReaders, ReceivedMarks } from './received-marks.js';

function markedAt(takenMs: number): Uint8Array {
  const payload = new Uint8Array(10 + markBytes);
  writeMark({ sender: 1, clock: 2, takenUs: 1000 * takenMs }, payload, 10);
  return payload;
}

const { vp8 } = markReaders;
if (!vp8) throw new Error('marks of VP8 are not read');

test('a frame counts when it is whole, by the mark of one of its packets, whenever that came', () => {
  const counts = new MarkCounts(2, 1);
  const marks = new ReceivedMarks(counts, vp8);
  marks.look(7, markedAt(1000), true);
  marks.look(9, markedAt(1033), true);
  marks.look(9, markedAt(1050), false);
  marks.whole(9, 1040);
  marks.whole(7, 1100);
  expect(counts.take()).toMatchObject({ marked: 2, unmarked: 0, delays: [{ meanMs: 53.5, maxMs: 100, count: 2 }] });
  marks.whole(9, 1140);
  expect(counts.take(), 'the mark of a frame is used once').toMatchObject({ marked: 0, unmarked: 1 });
});

test('of frames that never get whole few are kept', () => {
  const counts = new MarkCounts(2, 1);
  const marks = new ReceivedMarks(counts, vp8);
  for (let nth = 0; nth < 200; nth += 1) marks.look(nth, markedAt(nth), true);
  for (let nth = 0; nth < 200; nth += 1) marks.whole(nth, 1000);
  expect(counts.take()).toMatchObject({ marked: 64, unmarked: 136 });
});
