import { expect, test } from '@playwright/test';
import { inPlaceOf, padded, paddingBytes } from './light-voice.js';

const frameOf = (bytes: number): Uint8Array =>
  Uint8Array.from([0xd8, ...Array.from({ length: bytes }, (_, at) => at % 251)]);

/**
 * What a decoder takes out of a packet of one frame (RFC 6716, 3.2.5), and what it throws where the packet does not
 * hold.
 */
function frameIn(packet: Uint8Array): readonly number[] {
  const [toc = 0, count = 0] = packet;
  if ((toc & 3) === 0) return [...packet.subarray(1)];
  // By `expect` one by one these would be thousands of steps, which take half a minute.
  if ((toc & 3) !== 3 || (count & 0x3f) !== 1 || (count & 0x80) !== 0)
    throw new Error('it is not one frame of its own length');
  let [at, padding] = [2, 0];
  if (count & 0x40) {
    let length = 255;
    while (length === 255) {
      length = packet[at] ?? Number.NaN;
      padding += length === 255 ? 254 : length;
      at += 1;
    }
  }
  const end = packet.byteLength - padding;
  if (end < at || packet.subarray(end).some((byte) => byte !== 0))
    throw new Error('there is more than padding behind it');
  return [...packet.subarray(at, end)];
}

test('a packet of any larger size holds the same frame, with padding behind it', () => {
  const light = frameOf(40);
  const sizes = Array.from({ length: 1300 - 41 }, (_, nth) => 41 + nth);
  const made = sizes.map((size) => padded(light, size) ?? new Uint8Array());
  // Behind the two first bytes and the frame stand length bytes and the padding that they tell of.
  const told = made.slice(1).map((packet) => {
    const spare = packet.length - 2 - 40 - paddingBytes(packet);
    return [...packet.subarray(2, 2 + spare)].reduce((sum, byte) => sum + Math.min(254, byte), 0);
  });
  expect(told).toEqual(made.slice(1).map(paddingBytes));
  expect(paddingBytes(light)).toBe(0);
  expect(made.map(({ byteLength }) => byteLength)).toEqual(sizes);
  expect(new Set(made.map(([first = 0]) => first >> 2)), 'the same mode, bandwidth and length').toEqual(
    new Set([0xd8 >> 2]),
  );
  expect(new Set(made.map((packet) => frameIn(packet).join()))).toEqual(new Set([light.subarray(1).join()]));
});

test('the packet itself stays where the light one is missing, larger, empty or of several frames', () => {
  const own = frameOf(60);
  const ofTwo = Uint8Array.of(0xd9, 1, 1);
  const light = [frameOf(40), frameOf(61), new Uint8Array(), ofTwo];
  const [filled, ...others] = inPlaceOf([own, own, own, own, own], light);
  expect(filled?.byteLength).toBe(own.byteLength);
  expect(frameIn(filled ?? own)).toHaveLength(40);
  expect(others).toEqual([own, own, own, own]);
});
