import { expect, test } from '@playwright/test';
import type { RtpPacket } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { WholeFrames } from './whole-frames.js';

/** Numbers of what is handed on, those that go together in one list. */
function frames() {
  const clock = new HandClock(0);
  const handedOn: number[][] = [];
  const whole = new WholeFrames(clock, (packets) => handedOn.push(packets.map(({ packet }) => packet.sequenceNumber)));
  const take = (sequenceNumber: number, timestamp: number, ends = false, ssrc = 1): void => {
    const packet: RtpPacket = {
      payloadType: 96,
      marker: ends,
      padding: false,
      sequenceNumber,
      timestamp,
      ssrc,
      payload: Buffer.of(0),
    };
    whole.take(packet, 'vp8/90000', clock.nowMs());
  };
  return { clock, handedOn, take, whole };
}

test('the packets of a frame are handed on together when its last one has come', () => {
  const { handedOn, take } = frames();
  take(1, 3000);
  take(2, 3000);
  expect(handedOn).toEqual([]);
  take(3, 3000, true);
  take(4, 6000, true);
  expect(handedOn).toEqual([[1, 2, 3], [4]]);
});

test('what is not whole after 5 ms goes on as it is, and what comes of it later, too', () => {
  const { clock, handedOn, take } = frames();
  take(1, 3000);
  clock.forward(4);
  expect(handedOn).toEqual([]);
  clock.forward(2);
  expect(handedOn).toEqual([[1]]);
  take(2, 3000, true);
  expect(handedOn).toEqual([[1], [2]]);
});

test('a frame whose end is lost does not wait for it behind the next one', () => {
  const { handedOn, take } = frames();
  take(1, 3000);
  take(3, 6000);
  expect(handedOn).toEqual([[1]]);
  take(4, 6000, true);
  expect(handedOn).toEqual([[1], [3, 4]]);
});

test('what was overtaken, or is sent again, is not kept', () => {
  const { handedOn, take } = frames();
  take(2, 3000, true);
  take(1, 3000);
  expect(handedOn).toEqual([[2], [1]]);
  take(4, 9000);
  take(3, 6000, true);
  expect(handedOn).toEqual([[2], [1], [3]]);
  take(5, 9000, true);
  expect(handedOn.at(-1)).toEqual([4, 5]);
});

test('a frame is told from those before where timestamps wrap, and a new stream from the old one', () => {
  const { handedOn, take } = frames();
  take(1, 2 ** 32 - 1000, true);
  take(2, 2000);
  take(3, 2000, true);
  expect(handedOn).toEqual([[1], [2, 3]]);
  take(4, 5000);
  take(100, 1000, false, 2);
  take(101, 1000, true, 2);
  expect(handedOn.slice(2)).toEqual([[4], [100, 101]]);
});

test('of a large frame so many go together as have come, sixteen at most', () => {
  const { handedOn, take } = frames();
  for (let nth = 1; nth <= 20; nth += 1) take(nth, 3000, nth === 20);
  expect(handedOn.map(({ length }) => length)).toEqual([16, 4]);
});

test('nothing is handed on after the end', () => {
  const { clock, handedOn, take, whole } = frames();
  take(1, 3000);
  whole.close();
  clock.forward(10);
  expect(handedOn).toEqual([]);
});
