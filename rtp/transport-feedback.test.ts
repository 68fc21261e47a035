import { expect, test } from '@playwright/test';
import { randomFrom } from '../tests/random.js';
import { readRtcp } from './rtcp.js';
import { readTransportFeedback, writeTransportFeedback } from './transport-feedback.js';

const ssrcs = { senderSsrc: 0x11111111, mediaSsrc: 0x22222222, nth: 7 };
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('arrivals are told as the draft has them: a vector of two bits, small steps of one byte, large and negative ones of two', () => {
  // 1000 ms is 40 ms after 15 × 64 ms; then one lost, 5 ms later, 100 ms later, 10 ms earlier.
  const arrivedAtMs = [1000, undefined, 1005, 1105, 1095];
  const { packet, told } = writeTransportFeedback({ ...ssrcs, base: 0xfffe, arrivedAtMs });
  expect(told).toBe(5);
  // Symbols 1 0 1 2 2 in a vector; then 160, 20, 400 and -40 quarters of a millisecond.
  expect(packet).toEqual(hex('8fcd0006 11111111 22222222 fffe0005 00000f07 d1a0 a0 14 0190 ffd8'));
  expect(readRtcp(packet)).toEqual([
    { type: 'transport-feedback', base: 0xfffe, reference: 15, arrivedMs: [40, undefined, 45, 145, 135] },
  ]);
});

test('a run of packets without a loss is one chunk', () => {
  const arrivedAtMs = Array.from({ length: 50 }, (_, index) => 64 + index);
  const { packet } = writeTransportFeedback({ ...ssrcs, base: 0, arrivedAtMs });
  expect(packet.readUInt16BE(20)).toBe(0x2000 | 50);
  expect(packet.length).toBe(72);
});

test('whatever is written is read back, of random losses, orders and pauses', () => {
  const random = randomFrom(11);
  const wrong: object[] = [];
  for (let round = 0; round < 300; round += 1) {
    let atMs = 1e9 * random();
    const arrivedAtMs: (number | undefined)[] = Array.from({ length: 1 + Math.floor(80 * random()) }, () => {
      atMs += Math.floor(random() < 0.1 ? 4 * 500 * random() - 200 : 40 * random()) / 4;
      return random() < 0.3 ? undefined : Math.round(4 * atMs) / 4;
    });
    arrivedAtMs.push(Math.round(4 * atMs) / 4);
    const { packet, told } = writeTransportFeedback({ ...ssrcs, base: round, arrivedAtMs });
    const read = readTransportFeedback(packet);
    const first = arrivedAtMs.find((one) => one !== undefined) ?? 0;
    const fromMs = Math.floor(first / 64) * 64;
    const arrivedMs = arrivedAtMs.map((one) => (one === undefined ? undefined : one - fromMs));
    const isRead = JSON.stringify(read?.arrivedMs) === JSON.stringify(arrivedMs);
    if (told !== arrivedAtMs.length || !isRead || packet.length % 4 !== 0) wrong.push({ round, told, read, arrivedMs });
  }
  expect(wrong).toEqual([]);
});

test('what is too far in time from the packet before it is left to another message', () => {
  const { told } = writeTransportFeedback({ ...ssrcs, base: 0, arrivedAtMs: [0, 10, 9000] });
  expect(told).toBe(2);
});

test('messages that say more than they hold are none', () => {
  const whole = writeTransportFeedback({ ...ssrcs, base: 0, arrivedAtMs: [1, undefined, 300, 301] }).packet;
  for (let length = 0; length < 22; length += 1)
    expect(readTransportFeedback(whole.subarray(0, length))).toBeUndefined();
  const claims = (rest: string) => readTransportFeedback(hex(`8fcd0005 11111111 22222222 0000ffff 00000000 ${rest}`));
  expect(claims('0000 0000'), 'runs of none').toBeUndefined();
  expect(claims('3fff 3fff'), 'more than there is').toBeUndefined();
});
