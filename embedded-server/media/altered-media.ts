import type { MediaKind } from '../../model/scenario.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import { readVp8 } from '../../rtp/vp8.js';
import type { Imitation } from '../imitation.js';
import type { FramePacket } from './whole-frames.js';

/** Faults on purpose: what becomes of the packets of one sender on their way. */
export type Altered = (packets: readonly FramePacket[]) => readonly FramePacket[];

export function alteredBy({ pictureFault, soundFault }: Imitation, kind: MediaKind): Altered | undefined {
  if (kind === 'audio') return soundFault === 'silent' ? silent : undefined;
  if (pictureFault === 'blank') return blank;
  return pictureFault === 'still' ? standingStill() : undefined;
}

const silent: Altered = (packets) =>
  packets.map(({ packet, codec }) => {
    return { codec, packet: { ...packet, padding: false, payload: silenceOf(packet.payload.length) } };
  });

/** 20 ms of Opus in one channel that say nothing, padded to as many bytes, so that no rate tells (RFC 6716, 3.2.5). */
function silenceOf(bytes: number): Buffer {
  const padding = Math.min(Math.max(0, bytes - 5), 254);
  return Buffer.from([0xfb, 0x41, padding, 0xff, 0xfe, ...new Uint8Array(padding)]);
}

/** Bytes of a VP8 frame's header (RFC 6386, 9.1). Where all bits behind it are 0, all blocks are grey. */
const tagBytes = 3;
const keyTagBytes = 10;

const blank: Altered = (packets) =>
  packets.map(({ packet, codec }) => {
    const piece = codec.startsWith('vp8') && !packet.padding ? readVp8(packet.payload) : undefined;
    if (!piece) return { packet, codec };
    const { startsFrame, isKeyFrame, headerBytes } = piece;
    const payload = Buffer.from(packet.payload);
    payload.fill(0, headerBytes + (isKeyFrame ? keyTagBytes : startsFrame ? tagBytes : 0));
    return { codec, packet: { ...packet, payload } };
  });

/** Key frames are larger than others, so this number of frames is left out behind each. */
const leftOut = 2;

/** The first key frame of a sender comes again and again. */
function standingStill(): Altered {
  let kept: readonly FramePacket[] = [];
  let [isWhole, frames, number] = [false, 0, 0];
  const numbered = ({ packet, codec }: FramePacket, timestamp: number): FramePacket => {
    number = (number + 1) & 0xffff;
    return { codec, packet: { ...packet, timestamp, sequenceNumber: number } };
  };
  return (packets) =>
    packets.flatMap((one) => {
      const { packet, codec } = one;
      if (isWhole) {
        if (packet.marker) frames += 1;
        const isDue = packet.marker && frames % (leftOut + 1) === 0;
        return isDue ? kept.map((again) => numbered(again, packet.timestamp)) : [];
      }
      if (kept.length > 0 || beginsKeyFrame(codec, packet.payload) === true) kept = [...kept, one];
      isWhole = kept.length > 0 && packet.marker;
      return [numbered(one, packet.timestamp)];
    });
}
