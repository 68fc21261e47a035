import { expect, test } from '@playwright/test';
import { type Recordings, receivedPictures, SentPictures } from './pictures.js';
import type { EncodedPicture } from './wire.js';

const bytes = (...values: readonly number[]) => new Uint8Array(values);
const of = ({ data }: EncodedPicture) => [...new Uint8Array(data)];

function picture(type: 'key' | 'delta', value: number, width = 320, mimeType = 'video/VP8'): EncodedPicture {
  return { type, data: bytes(value).buffer, getMetadata: () => ({ width, height: (width * 9) / 16, mimeType }) };
}

test('received pictures give way to those of their size, key for key; what has none is decoded as it came', async () => {
  const asked: string[] = [];
  const received = receivedPictures({
    of: async (mimeType, { width }) => {
      asked.push(`${mimeType} ${width}`);
      return mimeType === 'video/AV1' ? undefined : { key: bytes(100, width / 10), delta: bytes(200) };
    },
  });
  const play = async (one: EncodedPicture) => {
    await received.handle(one);
    return of(one);
  };
  // Before the first key frame nobody knows what they are.
  expect(await play(picture('delta', 1))).toEqual([1]);
  expect(await play(picture('key', 2))).toEqual([100, 32]);
  expect(await play(picture('delta', 3))).toEqual([200]);
  expect(await play(picture('key', 4))).toEqual([100, 32]);
  expect(await play(picture('key', 5, 640))).toEqual([100, 64]);
  expect(await play(picture('key', 6, 640, 'video/AV1'))).toEqual([6]);
  expect(await play(picture('delta', 7))).toEqual([7]);
  expect(asked).toEqual(['video/VP8 320', 'video/VP8 640', 'video/AV1 640']);
});

function sender(recordings: Recordings = new Map()) {
  const said: string[] = [];
  const sent = new SentPictures(recordings, (what) => said.push(what));
  const send = (...pictures: readonly EncodedPicture[]) =>
    pictures.map((one) => {
      sent.handle(one);
      return of(one)[0];
    });
  return { sent, said, send };
}

test('what was recorded goes out while the encoder makes tiny pictures, and what it makes as soon as they are whole', () => {
  const { sent, said, send } = sender();
  expect(send(picture('key', 1), picture('delta', 2))).toEqual([1, 2]);
  sent.record('camera', 3);
  expect(said).toEqual(['key-frame-wanted']);
  // From a key frame on; another one begins it anew.
  expect(send(picture('delta', 3), picture('key', 4), picture('delta', 5), picture('key', 6))).toEqual([3, 4, 5, 6]);
  expect(send(picture('delta', 7), picture('delta', 8))).toEqual([7, 8]);
  expect(said).toEqual(['key-frame-wanted', 'recorded']);
  // Until the encoder does as it was told, nothing changes.
  expect(send(picture('delta', 9))).toEqual([9]);
  expect(send(picture('key', 90, 32), picture('delta', 91, 32))).toEqual([6, 7]);
  // A request for a key frame is answered with one.
  expect(send(picture('key', 92, 32), picture('delta', 93, 32), picture('delta', 94, 32))).toEqual([6, 7, 8]);
  expect(send(picture('key', 10), picture('delta', 11))).toEqual([10, 11]);
  expect(send(picture('key', 95, 32))).toEqual([6]);
  // It goes back to work: what is under way is tiny still, what the app asks for may be smaller than what was recorded.
  sent.stop();
  expect(send(picture('key', 96, 32), picture('key', 12, 160), picture('delta', 13, 160))).toEqual([6, 12, 13]);
});

test('the end of a recording asks for a key frame, and it is told when none comes in time', () => {
  const { sent, said, send } = sender();
  sent.record('camera', 40);
  const run = (from: number, width: number) =>
    Array.from({ length: 40 }, (_, nth) => picture(nth === 0 ? 'key' : 'delta', from + nth, width));
  send(...run(1, 320));
  said.length = 0;
  expect(send(...run(100, 32))).toEqual(Array.from({ length: 40 }, (_, nth) => 1 + nth));
  expect(said).toEqual(['key-frame-wanted']);
  send(picture('delta', 200, 32));
  expect(said).toEqual(['key-frame-wanted', 'out-of-order']);
  expect(send(picture('key', 201, 32))).toEqual([1]);
});

test('what two senders make alike is recorded once, and what is broken off is not', () => {
  const recordings: Recordings = new Map();
  const [first, second, third] = [sender(recordings), sender(recordings), sender(recordings)];
  first.sent.record('large', 2);
  first.send(picture('key', 1));
  first.sent.stop();
  first.send(picture('delta', 2));
  expect([...recordings.keys()]).toEqual([]);
  second.sent.record('large', 2);
  second.send(picture('key', 3), picture('delta', 4));
  third.sent.record('large', 2);
  expect(third.said).toEqual(['recorded']);
  expect(third.send(picture('key', 90, 32), picture('delta', 91, 32))).toEqual([3, 4]);
});
