import { expect, test } from '@playwright/test';
import { inPlaceOf, padded } from './light-voice.js';

const frameOf = (bytes: number): Uint8Array =>
  Uint8Array.from([0xd8, ...Array.from({ length: bytes }, (_, at) => at % 251)]);

/**
 * What a decoder takes out of a packet of one frame (RFC 6716, 3.2.5), and what it throws where the packet does not
 * hold.
 */
function frameIn(packet: Uint8Array): readonly number[] {
  const [toc = 0, count = 0] = packet;
  if ((toc & 3) === 0) return [...packet.subarray(1)];
  expect(toc & 3).toBe(3);
  expect(count & 0x3f, 'one frame').toBe(1);
  expect(count & 0x80, 'of its own length').toBe(0);
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
  expect(end, 'no more padding than there is room').toBeGreaterThanOrEqual(at);
  expect([...packet.subarray(end)].every((byte) => byte === 0)).toBe(true);
  return [...packet.subarray(at, end)];
}

test('a packet of any larger size holds the same frame, with padding behind it', () => {
  const light = frameOf(40);
  for (let size = 41; size < 1300; size += 1) {
    const filled = padded(light, size);
    expect(filled?.byteLength).toBe(size);
    expect((filled?.[0] ?? 0) >> 2, 'the same mode, bandwidth and length').toBe(0xd8 >> 2);
    expect(frameIn(filled ?? new Uint8Array()), `${size} bytes`).toEqual([...light.subarray(1)]);
  }
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
