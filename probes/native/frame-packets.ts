import type { VideoCodec } from '../../model/codec.js';
import { temporalPattern } from '../page/encoded/temporal-pattern.js';
import { markBytes } from '../page/frame-mark.js';
import { isSlice, MarkTurns, markInPacket, markUnit, payloadMost, stapA } from '../page/sei-mark.js';

const pictureIds = 2 ** 15;

/** Cuts the frames of one stream. */
export interface FramePackets {
  /** So many bytes, six at most, stand before each part, and are the stream's own. */
  readonly headBytes: number;
  /** The parts of the next frame, the `nth` of its chain, which are alike for all who send the clip. */
  cut(frame: Uint8Array, nth: number): readonly Uint8Array[];
  /** Where in a part, or behind it, the sender's mark belongs; below 0: it has none. */
  markAt(part: Uint8Array, isLast: boolean): number;
  /** What stands before the first part of the frame that was cut last, or before a further one, as one number. */
  head(isFirst: boolean): number;
}

/**
 * Who cuts the frames of one stream, or of one of its layers; `undefined` for codecs of which no clips are made.
 */
export function framePackets(codec: VideoCodec, firstPictureId: number, isLayer: boolean): FramePackets | undefined {
  if (codec === 'VP8') return isLayer ? new TemporalVp8Packets(firstPictureId) : new Vp8Packets(firstPictureId);
  return codec === 'H264' ? new H264Packets() : undefined;
}

/** Cuts each frame once, for all who send it. */
function cutOnce<T extends WeakKey>(cut: (frame: Uint8Array) => T): (frame: Uint8Array) => T {
  const cuts = new WeakMap<Uint8Array, T>();
  return (frame) => {
    const known = cuts.get(frame);
    if (known) return known;
    const made = cut(frame);
    cuts.set(frame, made);
    return made;
  };
}

const descriptorBytes = 4;
const cutVp8 = cutOnce((frame) => evenParts(frame, payloadMost - descriptorBytes, markBytes));

/** RFC 7741, 4.2, as libwebrtc writes it: X, S in a frame's first piece; then I, and a picture id of 15 bits. */
class Vp8Packets implements FramePackets {
  readonly headBytes: number = descriptorBytes;
  protected pictureId: number;

  constructor(firstPictureId: number) {
    this.pictureId = firstPictureId - 1;
  }

  cut(frame: Uint8Array, _nth: number): readonly Uint8Array[] {
    this.pictureId = (this.pictureId + 1) % pictureIds;
    return cutVp8(frame);
  }

  markAt(part: Uint8Array, isLast: boolean): number {
    return isLast ? part.length : -1;
  }

  head(isFirst: boolean): number {
    return (((isFirst ? 0x90 : 0x80) << 24) | 0x80_80_00 | this.pictureId) >>> 0;
  }
}

const temporalBytes = 6;
const cutTemporal = cutOnce((frame) => evenParts(frame, payloadMost - temporalBytes, markBytes));

/**
 * Browsers send each layer of a simulcast in three temporal layers. Frames that no other refers to have N. TL0PICIDX
 * and the temporal layer stand behind the picture id, with Y where a receiver may begin with it (RFC 7741, 4.2).
 */
class TemporalVp8Packets extends Vp8Packets {
  override readonly headBytes = temporalBytes;
  #baseId = -1;
  #frame: (typeof temporalPattern)[number] = temporalPattern[0];

  override cut(frame: Uint8Array, nth: number): readonly Uint8Array[] {
    this.pictureId = (this.pictureId + 1) % pictureIds;
    this.#frame = temporalPattern[nth % temporalPattern.length] ?? temporalPattern[0];
    if (this.#frame.layer === 0) this.#baseId = (this.#baseId + 1) & 0xff;
    return cutTemporal(frame);
  }

  override head(isFirst: boolean): number {
    const { layer, syncs } = this.#frame;
    const first = 0x80 | (layer === 2 ? 0x20 : 0) | (isFirst ? 0x10 : 0);
    const ids = ((first << 24) | 0xe0_80_00 | this.pictureId) >>> 0;
    return ids * 0x1_00_00 + ((this.#baseId << 8) | (layer << 6) | (syncs ? 0x20 : 0));
  }
}

/** With room for a mark, and without where that would take a packet more. */
const cutH264 = cutOnce((frame) => {
  const units = unitsOf(frame);
  const slice = units.findIndex(([first]) => isSlice(first));
  const [plain, marked] = [h264Packets(units), h264Packets(slice < 0 ? units : units.toSpliced(slice, 0, markUnit))];
  const isFree = plain.length === marked.length;
  return { isFree, marked, plain: isFree ? marked : plain };
});

class H264Packets implements FramePackets {
  readonly headBytes = 0;
  readonly #turns = new MarkTurns();

  cut(frame: Uint8Array): readonly Uint8Array[] {
    const { isFree, marked, plain } = cutH264(frame);
    return this.#turns.isDue(isFree) ? marked : plain;
  }

  markAt(part: Uint8Array): number {
    return markInPacket(part);
  }

  head(): number {
    return 0;
  }
}

const fuA = 28;

/** RFC 6184, packetization mode 1: small units together (STAP-A), large ones in parts (FU-A). */
function h264Packets(units: readonly Uint8Array[]): readonly Buffer[] {
  const packets: Buffer[] = [];
  let together: Uint8Array[] = [];
  const close = (): void => {
    if (together.length > 0)
      packets.push(together.length === 1 ? Buffer.from(together[0] ?? []) : aggregated(together));
    together = [];
  };
  for (const unit of units) {
    if (aggregatedBytes([...together, unit]) > payloadMost) close();
    if (unit.length > payloadMost) packets.push(...fragmentsOf(unit));
    else together.push(unit);
  }
  close();
  return packets;
}

const aggregatedBytes = (units: readonly Uint8Array[]): number =>
  units.reduce((sum, { length }) => sum + 2 + length, 1);

function aggregated(units: readonly Uint8Array[]): Buffer {
  const packet = Buffer.allocUnsafe(aggregatedBytes(units));
  // The highest importance of all that are in it (RFC 6184, 5.7).
  packet[0] = Math.max(...units.map(([head = 0]) => head & 0x60)) | stapA;
  let at = 1;
  for (const unit of units) {
    at = packet.writeUInt16BE(unit.length, at);
    packet.set(unit, at);
    at += unit.length;
  }
  return packet;
}

/** Once for a unit, whatever stands before it. */
const fragmentsOf = cutOnce((unit): readonly Buffer[] => {
  const [head = 0] = unit;
  const parts = evenParts(unit.subarray(1), payloadMost - 2);
  return parts.map((part, nth) => {
    const packet = Buffer.allocUnsafe(2 + part.length);
    packet[0] = (head & 0xe0) | fuA;
    packet[1] = (nth === 0 ? 0x80 : 0) | (nth === parts.length - 1 ? 0x40 : 0) | (head & 0x1f);
    packet.set(part, 2);
    return packet;
  });
});

/** The units between start codes of three or four bytes (H.264, annex B). */
function unitsOf(frame: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  const startCode = Buffer.from([0, 0, 1]);
  const units: Uint8Array[] = [];
  for (let at = bytes.indexOf(startCode); at >= 0; ) {
    const next = bytes.indexOf(startCode, at + 3);
    let end = next < 0 ? bytes.length : next;
    while (end > at + 3 && next >= 0 && bytes[end - 1] === 0) end -= 1;
    if (end > at + 3) units.push(bytes.subarray(at + 3, end));
    at = next;
  }
  return units;
}

/**
 * As few parts as fit, of equal size but for a byte, the smaller ones first: as libwebrtc cuts. So many bytes that will
 * stand behind the last one are part of it.
 */
function evenParts(whole: Uint8Array, most: number, tailBytes = 0): readonly Uint8Array[] {
  const bytes = whole.length + tailBytes;
  const count = Math.max(1, Math.ceil(bytes / most));
  const cut = (nth: number): number => {
    const larger = bytes % count;
    return nth * Math.floor(bytes / count) + Math.max(0, nth - (count - larger));
  };
  return Array.from({ length: count }, (_, nth) => whole.subarray(cut(nth), cut(nth + 1)));
}
