import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RtpPacket } from '../../rtp/rtp.js';
import { isInstalled } from '../../tests/installed.js';
import { soon } from '../../tests/soon.js';
import { Repacker } from './repacked-output.js';

const gstreamer = isInstalled(['gst-launch-1.0']);
const frame = Buffer.alloc(30, 0x55);
/** One frame of CELT, narrow band, 20 ms (RFC 6716, 3.1). */
const plain = Buffer.concat([Buffer.of(0x98), frame]);
/** The same frame with 49 bytes of padding behind it (RFC 6716, 3.2.5). */
const padded = Buffer.concat([Buffer.of(0x9b, 0x41, 49), frame, Buffer.alloc(49)]);

async function through(payload: Buffer): Promise<readonly RtpPacket[]> {
  test.skip(
    !gstreamer,
    'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools gstreamer1.0-plugins-bad)',
  );
  const got: RtpPacket[] = [];
  const repacker = await Repacker.start(
    (packet) => got.push(packet),
    (detail) => {
      throw new Error(detail);
    },
  );
  try {
    const packet = { payloadType: 111, marker: false, padding: false, ssrc: 7, payload };
    for (let nth = 0; nth < 400 && got.length < 20; nth += 1) {
      repacker.send({ ...packet, sequenceNumber: nth, timestamp: 960 * nth });
      await sleep(20);
    }
    await soon(() => got.length).toBeGreaterThanOrEqual(20);
  } finally {
    await repacker.close();
  }
  return got;
}

test('of a padded Opus packet GStreamer makes two, the frame and its padding, as a real Kurento does', async () => {
  const sizes = (await through(padded)).slice(0, 20).map(({ payload }) => payload.length);
  expect(new Set(sizes)).toEqual(new Set([33, 49]));
  expect(sizes.filter((size) => size === 33)).toHaveLength(10);
});

test('a packet of one frame without padding comes out as it came, 20 ms after the one before', async () => {
  const packets = await through(plain);
  expect(packets.every(({ payload }) => payload.equals(plain))).toBe(true);
  const [first, ...later] = packets.map(({ timestamp }) => timestamp);
  expect(later.map((timestamp) => (timestamp - (first ?? 0)) >>> 0)).toEqual(later.map((_, nth) => 960 * (nth + 1)));
});
