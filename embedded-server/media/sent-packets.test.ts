import { expect, test } from '@playwright/test';
import { SentPackets } from './sent-packets.js';

test('a packet is given back as sent for a second, and not twice within ten milliseconds', () => {
  const sent = new SentPackets();
  const datagram = Buffer.from('packet');
  sent.put(7, datagram, 1000);
  expect(sent.take(7, 1100)).toBe(datagram);
  expect(sent.take(7, 1105)).toBeUndefined();
  expect(sent.take(7, 1200)).toBe(datagram);
  expect(sent.take(7, 2001)).toBeUndefined();
});

test('an unknown number, and one whose slot has a newer packet, are not given back', () => {
  const sent = new SentPackets();
  sent.put(7, Buffer.from('old'), 1000);
  sent.put(7 + 512, Buffer.from('new'), 1001);
  expect(sent.take(7, 1002)).toBeUndefined();
  expect(sent.take(8, 1002)).toBeUndefined();
});

test('what is older than a second is let go as new packets come, across the wrap of the numbers', () => {
  const sent = new SentPackets();
  for (let i = 0; i < 200; i += 1) {
    const datagram = Buffer.alloc(10);
    sent.put((65_500 + i) & 0xffff, datagram, 1000 + i * 100);
  }
  expect(sent.size).toBeLessThanOrEqual(12);
  expect(sent.take((65_500 + 199) & 0xffff, 1000 + 19_900)).toBeDefined();
});
