import { expect, test } from '@playwright/test';
import { leavingPacket, type OutgoingPacket } from '../../rtp/outgoing-packet.js';
import { SentPackets } from './resending.js';

const extensions = { absSendTimeId: 2 };

function sent(sequenceNumber: number, nowMs: number, more: object = {}): OutgoingPacket {
  const packet = leavingPacket(77, extensions);
  Object.assign(packet.header, { payloadType: 96, sequenceNumber, nowMs, ...more });
  return { ...packet, rollover: 3, body: Buffer.from(`packet ${sequenceNumber}`) };
}

/** What is given back of it, if anything. */
function taken(packets: SentPackets, sequenceNumber: number, nowMs: number): OutgoingPacket | undefined {
  const to = leavingPacket(77, extensions);
  return packets.take(sequenceNumber, nowMs, to) ? to : undefined;
}

test('a packet is given back as sent for a second, and not twice within ten milliseconds', () => {
  const packets = new SentPackets();
  const first = sent(7, 1000, { marker: true, padding: true, timestamp: 0xfedcba98 });
  packets.put(first);
  packets.put(sent(8, 1001, { payloadType: 127 }));
  expect(taken(packets, 7, 1100)).toEqual(first);
  expect(taken(packets, 7, 1105)).toBeUndefined();
  expect(taken(packets, 7, 1200)).toEqual(first);
  expect(taken(packets, 7, 2001)).toBeUndefined();
  expect(taken(packets, 8, 1100)).toEqual(sent(8, 1001, { payloadType: 127 }));
});

test('an unknown number, and one whose slot has a newer packet, are not given back', () => {
  const packets = new SentPackets();
  packets.put(sent(7, 1000));
  packets.put(sent(7 + 512, 1001));
  expect(taken(packets, 7, 1002)).toBeUndefined();
  expect(taken(packets, 8, 1002)).toBeUndefined();
});

test('what is older than a second is let go as new packets come, across the wrap of the numbers', () => {
  const packets = new SentPackets();
  for (let i = 0; i < 200; i += 1) packets.put(sent((65_500 + i) & 0xffff, 1000 + i * 100));
  expect(packets.size).toBeLessThanOrEqual(12);
  expect(taken(packets, (65_500 + 199) & 0xffff, 1000 + 19_900)).toBeDefined();
});
