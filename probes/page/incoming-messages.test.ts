import { expect, test } from '@playwright/test';
import { senderOf } from '../../model/sender-mark.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { readMessage, writeMessage } from './data-message.js';
import { IncomingMessages } from './incoming-messages.js';

const sent = { sender: senderOf('3b'), clock: 77, nth: 1_000_000, sentMs: 1_795_874_400_123.5 };

test('a message says who sent it, which it is and when, wherever a server puts it', () => {
  const plain = writeMessage(sent, []);
  expect(plain.byteLength).toBe(200);
  expect(readMessage(plain)).toEqual(sent);
  expect(readMessage(writeMessage(sent, [0x12, 0xcb, 1, 0x4c]))).toEqual(sent);
  const wrapped = new Uint8Array([1, 2, 3, ...new Uint8Array(plain), 4, 5]);
  expect(readMessage(wrapped.buffer)).toEqual(sent);
  for (let bytes = 0; bytes < 28; bytes += 1) expect(readMessage(plain.slice(0, bytes))).toBeUndefined();
  expect(readMessage(new ArrayBuffer(200))).toBeUndefined();
});

/** Ten a second, each a moment after it was due, but for what `comesMs` says; `undefined`: never. Totals of 60 s. */
function told(comesMs: (nth: number) => number | undefined) {
  const incoming = new IncomingMessages(10);
  const coming = Array.from({ length: 600 }, (_, nth) => ({ nth, atMs: comesMs(nth) })).flatMap(({ nth, atMs }) =>
    atMs === undefined ? [] : [{ nth, atMs }],
  );
  coming.sort((one, other) => one.atMs - other.atMs);
  const sums = { received: 0, lost: 0, repeated: 0 };
  for (let second = 1; second <= 60; second += 1) {
    for (; coming[0] && coming[0].atMs <= second * 1000; coming.shift()) incoming.take(coming[0].nth, coming[0].atMs);
    const read = incoming.read(second * 1000);
    sums.received += read.messagesReceived ?? 0;
    sums.lost += read.messagesLost ?? 0;
    sums.repeated += read.messagesRepeated ?? 0;
  }
  return sums;
}

test('each gap is lost once its time is over, and what comes late within it is not', () => {
  expect(told((nth) => nth * 100 + 5)).toEqual({ received: 600, lost: 0, repeated: 0 });
  expect(told((nth) => (nth % 100 === 50 ? undefined : nth * 100 + 5))).toEqual({
    received: 594,
    lost: 6,
    repeated: 0,
  });
  expect(told((nth) => nth * 100 + (nth % 100 === 50 ? 1900 : 5))).toEqual({ received: 600, lost: 0, repeated: 0 });
  expect(told((nth) => nth * 100 + (nth % 100 === 50 ? 3500 : 5))).toEqual({ received: 594, lost: 6, repeated: 0 });
});

test('a sender of whom nothing comes any more loses what was due, though no later number shows it', () => {
  const { received, lost } = told((nth) => (nth >= 300 ? undefined : nth * 100 + 5));
  expect([received, lost]).toEqual([300, 280]);
});

test('a channel that stands still for some seconds gives all at once: what was 2 s late is lost, the rest is not', () => {
  const { received, lost, repeated } = told((nth) => (nth >= 100 && nth < 150 ? 15_005 + nth / 10 : nth * 100 + 5));
  expect(repeated).toBe(0);
  expect(received + lost).toBe(600);
  expect(lost).toBeGreaterThanOrEqual(29);
  expect(lost).toBeLessThanOrEqual(31);
});

test('what came before the first message is not missed, what comes twice counts once, and a number out of all is none of ours', () => {
  const incoming = new IncomingMessages(10);
  expect(incoming.read(1000)).toEqual({});
  const counted = [500, 501, 499, 501, 502, 4_000_000_000].map((nth) => incoming.take(nth, 1100));
  expect(counted).toEqual([true, true, false, false, true, false]);
  expect(incoming.read(2000)).toEqual({
    messagesReceived: 3,
    messagesLost: 0,
    messagesRepeated: 1,
  });
});

test('whatever is lost and late: each message is received or lost, and never both', () => {
  const random = randomFrom(48);
  for (let trial = 0; trial < times(30, 1000); trial += 1) {
    const fates = Array.from({ length: 600 }, () => random());
    const late = (nth: number) => 5 + 1900 * random() ** 8 * (nth > 570 || nth === 0 ? 0 : 1);
    const { received, lost, repeated } = told((nth) =>
      nth < 570 && nth > 0 && (fates[nth] ?? 0) < 0.1 ? undefined : nth * 100 + late(nth),
    );
    const gone = fates.filter((fate, nth) => nth < 570 && nth > 0 && fate < 0.1).length;
    expect({ received, lost, repeated }).toEqual({ received: 600 - gone, lost: gone, repeated: 0 });
  }
});
