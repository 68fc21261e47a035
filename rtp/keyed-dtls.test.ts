import { expect, test } from '@playwright/test';
import { refusalOf } from './keyed-dtls.js';

/** Of ports 5000 and 5001, with the tag 0xdeadbeef. */
const init = Buffer.from('138813890000000000000000' + '01000014' + 'deadbeef' + '00010000ffffffff00000001', 'hex');

test('an association is refused by its own tag, with the ports the other way round', () => {
  const refusal = refusalOf(init);
  expect(refusal?.toString('hex')).toMatch(/^13891388deadbeef[0-9a-f]{8}06000004$/);
  // CRC32c, with its lowest byte first, makes a packet of which the same sum is always this.
  expect(refusal && residue(refusal)).toBe(0x48674bc7);
});

test('nothing is said to any other packet, nor to one that is cut', () => {
  const data = Buffer.from(init);
  data[12] = 0;
  expect(refusalOf(data)).toBeUndefined();
  for (let length = 0; length < 20; length += 1) expect(refusalOf(init.subarray(0, length))).toBeUndefined();
});

/** The sum over a packet as it is sent, its own moved to its end. */
function residue(packet: Buffer): number {
  const moved = Buffer.concat([packet.subarray(0, 8), Buffer.alloc(4), packet.subarray(12), packet.subarray(8, 12)]);
  let crc = 0xffffffff;
  for (const byte of moved) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) * 0x82f63b78);
  }
  return ~crc >>> 0;
}
