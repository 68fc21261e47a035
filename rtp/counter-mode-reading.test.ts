import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { seededRandom } from '../model/seeded-random.js';
import { CounterModeProtection } from './counter-mode.js';
import { CounterModeReading, tailBytes } from './counter-mode-reading.js';
import { leavingPacket } from './outgoing-packet.js';

const keys = { key: randomBytes(16), salt: randomBytes(14), authKey: randomBytes(20) };
const ssrc = 0xdeadbeef;

function protectedPacket(number: number, payload: Buffer): Buffer {
  const packet = leavingPacket(ssrc, { absSendTimeId: 2 });
  Object.assign(packet.header, { payloadType: 96, marker: true, sequenceNumber: number & 0xffff });
  const rollover = Math.floor(number / 65_536);
  return Buffer.from(new CounterModeProtection(keys).protect({ ...packet, rollover, body: payload }));
}

for (const most of [32, undefined])
  test(`${most === undefined ? 'all' : `the first ${most} bytes, and the end of a frame,`} of what was sent is deciphered, over the wrap of sequence numbers and with packets lost, late, of every length and anywhere in memory`, () => {
    const random = seededRandom(7);
    const reading = new CounterModeReading(keys, most === undefined ? undefined : () => most);
    const wrong: number[] = [];
    let read = 0;
    const sent = new Set<number>();
    for (let number = 65_300; number < 65_800; number += 1 + Math.floor(random() * 3)) {
      const late = random() < 0.1 ? number - 2 : number;
      if (sent.has(late)) continue;
      sent.add(late);
      const payload = randomBytes(Math.floor(random() * 1200));
      const packet = reading.read(somewhere(protectedPacket(late, payload), read % 4));
      read += 1;
      const told = packet?.subarray(20, 20 + Math.min(most ?? payload.length, payload.length));
      const isWhole = packet?.length === 20 + payload.length;
      const end = packet?.subarray(Math.max(20, packet.length - tailBytes));
      const isEnd = end?.equals(payload.subarray(Math.max(0, payload.length - tailBytes)));
      if (!told?.equals(payload.subarray(0, most)) || !isWhole || !isEnd) wrong.push(late);
    }
    expect(read).toBeGreaterThan(100);
    // The counter of the first packet is not known to a receiver that comes later: it counts from zero (RFC 3711,
    // 3.3.1).
    expect(wrong).toEqual([]);
  });

/** A copy that begins so many bytes into its memory: only whole words can be read as such. */
function somewhere(datagram: Buffer, offset: number): Buffer {
  const room = Buffer.alloc(offset + datagram.length);
  datagram.copy(room, offset);
  return room.subarray(offset);
}

test('a packet with one bit changed anywhere is not authentic, and a short or garbled one is none', () => {
  const datagram = protectedPacket(5, randomBytes(100));
  const taken = Array.from({ length: datagram.length * 8 }, (_, bit) => {
    const changed = Buffer.from(datagram);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return new CounterModeReading(keys).read(changed) === undefined ? [] : [bit];
  }).flat();
  expect(taken).toEqual([]);
  const short = Array.from({ length: datagram.length }, (_, length) => datagram.subarray(0, length));
  expect(short.filter((one) => new CounterModeReading(keys).read(Buffer.from(one)) !== undefined)).toEqual([]);
});
