import { expect, test } from '@playwright/test';
import { clipOfBytes, inH264 } from '../../../tests/native-clip.js';
import { type EncodedFrame, frameHandler } from './frame-handler.js';
import type { StreamOrder } from './worker-wire.js';

const bytes = clipOfBytes([250], 2);
const clips = { VP8: bytes, H264: inH264(bytes) } as const;

const frameOf = (type: 'key' | 'delta', data = new ArrayBuffer(1)): EncodedFrame => ({
  type,
  data,
  getMetadata: () => ({}),
});

for (const [codec, marked] of [
  ['VP8', 30],
  // Frames of 1042 bytes, in whose packet there is room for a mark.
  ['H264', 30],
] as const)
  test(`frames of ${codec} say whose they are and when they left, and who gets them reads that`, () => {
    const order = { stream: 's', kind: 'video', rung: 0 } as const;
    const handlerOf = (more: Pick<StreamOrder, 'direction' | 'marks'>) =>
      frameHandler({ ...order, ...more }, clips[codec], () => undefined);
    const sender = handlerOf({ direction: 'send', marks: { clock: 5, sender: 7, codec } });
    const [receiver, other] = [7, 8].map((from) =>
      handlerOf({ direction: 'receive', marks: { clock: 5, sender: from, codec } }),
    );
    for (let nth = 0; nth < 30; nth += 1) {
      const frame = frameOf(nth === 0 ? 'key' : 'delta');
      sender.handle(frame);
      sender.leave?.(frame);
      for (const one of [receiver, other]) one?.handle(frameOf(nth === 0 ? 'key' : 'delta', frame.data.slice(0)));
    }
    expect(receiver?.count().marks).toMatchObject({ marked, unmarked: 0, foreign: 0, delays: [{ count: marked }] });
    expect(other?.count().marks).toMatchObject({ foreign: marked, foreignSender: 7 });
  });

test('frames of H264 that fill a packet are marked now and then, and the others counted as frames without a mark', () => {
  const order = { stream: 's', kind: 'video', rung: 0 } as const;
  const clip = inH264(clipOfBytes([500], 2));
  const marks = { clock: 5, sender: 7, codec: 'H264' } as const;
  const sender = frameHandler({ ...order, direction: 'send', marks }, clip, () => undefined);
  const receiver = frameHandler({ ...order, direction: 'receive', marks }, clip, () => undefined);
  for (let nth = 0; nth < 46; nth += 1) {
    const frame = frameOf(nth === 0 ? 'key' : 'delta');
    sender.handle(frame);
    sender.leave?.(frame);
    receiver.handle(frame);
  }
  expect(receiver.count().marks).toMatchObject({ marked: 4, unmarked: 42, delays: [{ count: 4 }] });
});

test('packets of the light voice say whose they are in their padding, and sound goes on as it came', () => {
  const order = { stream: 's', kind: 'audio', rung: 0, light: true } as const;
  const marks = { clock: 5, codec: 'opus' } as const;
  const handlerOf = (more: Pick<StreamOrder, 'direction' | 'marks' | 'light'>) =>
    frameHandler({ ...order, ...more }, bytes, () => undefined);
  const sender = handlerOf({ direction: 'send', marks: { ...marks, sender: 7 } });
  const ordinary = handlerOf({ direction: 'send', light: false, marks: { ...marks, sender: 7 } });
  const [receiver, other] = [7, 8].map((from) =>
    handlerOf({ direction: 'receive', marks: { ...marks, sender: from } }),
  );
  for (let nth = 0; nth < 50; nth += 1) {
    const frame = frameOf('delta');
    sender.handle(frame);
    sender.leave?.(frame);
    const came = new Uint8Array(frame.data.slice(0));
    expect(came.subarray(0, 40)).toEqual(bytes.lightPackets[nth]?.subarray(0, 40));
    for (const one of [receiver, other]) one?.handle(frame);
    expect(new Uint8Array(frame.data)).toEqual(came);
  }
  expect(receiver?.count().marks).toMatchObject({ marked: 50, unmarked: 0, foreign: 0, delays: [{ count: 50 }] });
  expect(other?.count().marks).toMatchObject({ foreign: 50, foreignSender: 7 });
  const frame = frameOf('delta');
  ordinary.handle(frame);
  ordinary.leave?.(frame);
  expect(new Uint8Array(frame.data)).toEqual(bytes.packets[0]);
});
