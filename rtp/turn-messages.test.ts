import { expect, test } from '@playwright/test';
import { channelHeader, channelPayload, isChannelData, paddingAfter, TurnMessages } from './turn-messages.js';

/** A STUN message of so many bytes behind its header, which are always whole words. */
function stun(bytes: number): Buffer {
  const message = Buffer.alloc(20 + bytes, 0xab);
  message.writeUInt16BE(0x0101, 0);
  message.writeUInt16BE(bytes, 2);
  return message;
}
const channelData = (bytes: number): Buffer => Buffer.concat([channelHeader(0x4001, bytes), Buffer.alloc(bytes, 0x90)]);
const onStream = (message: Buffer): Buffer => Buffer.concat([message, paddingAfter(message.length)]);

test('messages are whole in whatever pieces a stream brings them, and what aligns them is none of them', () => {
  const messages = [stun(8), channelData(5), channelData(8), stun(0), channelData(1), channelData(1183)];
  const stream = Buffer.concat(messages.map(onStream));
  expect(stream.length % 4).toBe(0);
  for (const size of [1, 3, 4, 7, 100, stream.length]) {
    const reading = new TurnMessages();
    const read: Buffer[] = [];
    for (let from = 0; from < stream.length; from += size)
      read.push(...reading.push(stream.subarray(from, from + size)));
    expect(read.map((message) => message.toString('hex'))).toEqual(messages.map((message) => message.toString('hex')));
  }
});

test('channel data is told from STUN by its first bits, and its payload is as long as it says', () => {
  expect([isChannelData(stun(4)), isChannelData(channelData(4))]).toEqual([false, true]);
  expect(channelPayload(onStream(channelData(5)))).toEqual(Buffer.alloc(5, 0x90));
});
