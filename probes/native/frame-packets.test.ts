import { expect, test } from '@playwright/test';
import type { VideoCodec } from '../../model/codec.js';
import { readTemporalPlace, readVp8 } from '../../rtp/vp8.js';
import { markBytes } from '../page/frame-mark.js';
import { markUnit } from '../page/sei-mark.js';
import { type DecodableFrame, FrameLine } from './frame-line.js';
import { framePackets as cutter } from './frame-packets.js';
import { videoPieces } from './video-pieces.js';

/** The payloads as they are sent. */
function framePackets(codec: VideoCodec, firstPictureId: number, isLayer = false) {
  const packets = cutter(codec, firstPictureId, isLayer);
  return (
    packets &&
    ((frame: Uint8Array, inChain = 0): readonly Buffer[] =>
      packets.cut(frame, inChain).map((part, nth) => {
        const head = Buffer.alloc(6);
        head.writeUIntBE(packets.head(nth === 0), 0, 6);
        return Buffer.concat([head.subarray(6 - packets.headBytes), part]);
      }))
  );
}

const bytes = (length: number, first: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index === 0 ? first : (index * 7 + 1) % 251) + 0);
const startCode = Uint8Array.of(0, 0, 0, 1);
const annexB = (...units: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(units.flatMap((unit) => [...startCode, ...unit]));

test('frames of VP8 are cut into equal parts that fit, a mark behind the last one among them, with a picture id that counts on over its end', () => {
  const cut = framePackets('VP8', 32_767);
  if (!cut) throw new Error('no packets are made of VP8');
  const frame = bytes(2083, 0x10);
  const packets = cut(frame);
  expect(packets.map(({ length }) => length)).toEqual([4 + 1052, 4 + 1053 - markBytes]);
  expect(Buffer.concat(packets.map((packet) => packet.subarray(4))).equals(frame)).toBe(true);
  expect(packets.map((packet) => packet.toString('hex', 0, 4))).toEqual(['9080ffff', '8080ffff']);
  expect(cut(bytes(5, 1))[0]?.toString('hex', 0, 4)).toBe('90808000');
  expect(Math.max(...cut(bytes(30_000, 0x10)).map(({ length }) => length))).toBeLessThanOrEqual(1178);
});

test('a layer of VP8 says of each frame its temporal layer, what may be left out, and where a receiver may begin with it', () => {
  const cut = framePackets('VP8', 7, true);
  if (!cut) throw new Error('no packets are made of VP8');
  // The chain begins anew with a key frame; what counts goes on.
  const heads = [0, 1, 2, 3, 4, 0].map((nth) => cut(bytes(5, 1), nth)[0]?.toString('hex', 0, 6));
  expect(heads).toEqual([
    '90e080070000',
    'b0e0800800a0',
    '90e080090060',
    'b0e0800a0080',
    '90e0800b0100',
    '90e0800c0200',
  ]);
  const places = heads.map((head) => readTemporalPlace(Buffer.from(head ?? '', 'hex')));
  expect(places).toEqual([0x000, 0x500, 0x300, 0x400, 0x001, 0x002]);
  // A short picture id is read over; without one, TL0PICIDX or a layer, nothing is known.
  expect(readTemporalPlace(Buffer.from('90e00709a0', 'hex'))).toBe(0x509);
  for (const unsaid of ['10', '90800007', '906009a0', '90c080070900', '90a0800700a0'])
    expect(readTemporalPlace(Buffer.from(unsaid, 'hex'))).toBeUndefined();
  const [first, second] = cut(bytes(2000, 0x10), 0);
  expect([first?.toString('hex', 0, 6), second?.toString('hex', 0, 6)]).toEqual(['90e0800d0300', '80e0800d0300']);
  expect(readVp8(first ?? Buffer.alloc(0))).toMatchObject({ isKeyFrame: true, pictureId: 13, headerBytes: 6 });
});

test('small units of H264 go together, a mark before the slice among them, large ones in parts, and all of them come out as they were', () => {
  const cut = framePackets('H264', 0);
  if (!cut) throw new Error('no packets are made of H264');
  const units = [bytes(20, 0x67), bytes(6, 0x68), bytes(3000, 0x65)];
  const packets = cut(annexB(...units));
  const heads = packets.map(([first = 0, second = 0]) => [first & 0x1f, second >> 5]);
  expect(heads).toEqual([
    [24, 0],
    [28, 4],
    [28, 0],
    [28, 2],
  ]);
  const [together = Buffer.alloc(0), ...parts] = packets;
  expect(together.subarray(3, 23).equals(units[0] ?? Buffer.alloc(0))).toBe(true);
  expect(together.subarray(25, 31).equals(units[1] ?? Buffer.alloc(0))).toBe(true);
  expect(together.subarray(33).equals(markUnit)).toBe(true);
  const whole = Buffer.concat([Buffer.from([0x65]), ...parts.map((part) => part.subarray(2))]);
  expect(whole.equals(units[2] ?? Buffer.alloc(0))).toBe(true);
  const [small = Buffer.alloc(0), ...others] = cut(annexB(bytes(900, 0x41)));
  expect(others).toEqual([]);
  expect(small.subarray(3, 3 + markUnit.length).equals(markUnit)).toBe(true);
  expect(small.subarray(5 + markUnit.length).equals(bytes(900, 0x41))).toBe(true);
});

test('where a mark would take a packet of its own, two in thirty frames have it, and the sender is told where it belongs', () => {
  const packets = cutter('H264', 0, false);
  if (!packets) throw new Error('no packets are made of H264');
  const frame = annexB(bytes(2000, 0x41));
  const counts = Array.from({ length: 30 }, () => packets.cut(frame, 0).length);
  expect(counts.filter((count) => count === 3)).toHaveLength(2);
  expect(counts.filter((count) => count === 2)).toHaveLength(28);
  const marked = packets.cut(annexB(bytes(20, 0x67), bytes(6, 0x68), bytes(3000, 0x65)), 0);
  const [first = new Uint8Array()] = marked;
  expect(marked.map((part) => packets.markAt(part, false))).toEqual([first.length - markBytes - 1, -1, -1, -1]);
});

for (const codec of ['VP8', 'H264'] as const) {
  test(`what is cut of ${codec} is read by the probes that receive it as the frames that it was`, () => {
    const cut = framePackets(codec, 5);
    const read = videoPieces[codec.toLowerCase()];
    if (!cut || !read) throw new Error('unknown codec');
    const frames =
      codec === 'VP8'
        ? [bytes(9000, 0x10), bytes(2100, 0x11), bytes(400, 0x11)]
        : [
            annexB(bytes(20, 0x67), bytes(6, 0x68), bytes(9000, 0x65)),
            annexB(bytes(2100, 0x41)),
            annexB(bytes(400, 0x41)),
          ];
    const decodable: DecodableFrame[] = [];
    const line = new FrameLine(
      () => undefined,
      (frame) => decodable.push(frame),
    );
    let extended = 65_536;
    frames.forEach((frame, nth) => {
      const packets = cut(frame);
      packets.forEach((payload, index) => {
        const { starts, isKey } = read(payload);
        line.take({
          extended,
          timestamp: nth * 3000,
          marker: index === packets.length - 1,
          isEmpty: false,
          starts,
          isKey,
        });
        extended += 1;
      });
    });
    expect(decodable.map(({ isKey }) => isKey)).toEqual([true, false, false]);
  });
}
