import { expect, test } from '@playwright/test';
import { leavingPacket } from '../../rtp/outgoing-packet.js';
import { markBytes } from '../page/frame-mark.js';
import { StreamMarks } from './stream-marks.js';

/** Share of all bytes, and of all pictures, in a minute of one stream. */
function marksOf(pictureBytes: number) {
  const marks = new StreamMarks('video', { sender: 1, clock: 1 });
  const pictures = 60 * 30;
  let [sent, marked] = [0, 0];
  for (let nth = 0; nth < pictures; nth += 1) {
    const outgoing = leavingPacket(1, { absSendTimeId: undefined });
    outgoing.body = new Uint8Array(pictureBytes);
    marks.put(outgoing, pictureBytes, nth * 33, sent);
    if (outgoing.tail.length > 0) marked += 1;
    sent += pictureBytes + outgoing.tail.length;
  }
  return { ofBytes: (marked * markBytes) / sent, ofPictures: marked / pictures };
}

test('each picture of a usual stream has a mark, and small pictures grow by 1.5 % at most', () => {
  expect(marksOf(2000).ofPictures).toBe(1);
  const small = marksOf(333);
  expect(small.ofBytes).toBeLessThanOrEqual(0.015);
  expect(small.ofPictures).toBeGreaterThan(1 / 6);
});

test('a place in a packet that was kept for a mark always gets it', () => {
  const marks = new StreamMarks('video', { sender: 1, clock: 1 });
  const kept = [0, 1].map((nth) => {
    const outgoing = leavingPacket(1, { absSendTimeId: undefined });
    outgoing.body = new Uint8Array(100);
    marks.put(outgoing, 20, 33 * nth, 100 * nth);
    return outgoing.body.some((byte) => byte !== 0);
  });
  expect(kept).toEqual([true, true]);
});
