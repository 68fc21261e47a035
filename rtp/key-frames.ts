import { startsKeyFrame } from './vp8.js';
import * as vp9 from './vp9.js';

/** By the name at the front of a codec's key. */
const readers: Readonly<Record<string, (payload: Uint8Array) => boolean>> = {
  vp8: startsKeyFrame,
  vp9: vp9.startsKeyFrame,
  h264: startsH264KeyFrame,
  h265: startsH265KeyFrame,
  av1: startsAv1KeyFrame,
};

/** Whether a packet is the first of a key frame or of the parameters before it; `undefined` for unread codecs. */
export function beginsKeyFrame(codec: string, payload: Uint8Array): boolean | undefined {
  return readers[codec.slice(0, codec.indexOf('/'))]?.(payload);
}

/** RFC 6184, 5.4: one unit, several in a packet (STAP-A), or a first part (FU-A). IDR is 5, its parameters 7. */
function startsH264KeyFrame(payload: Uint8Array): boolean {
  const [first = 0, second = 0] = payload;
  const isKey = (type: number): boolean => type === 5 || type === 7;
  const type = first & 0x1f;
  if (type === 24) return unitsOf(payload, 1).some((head) => isKey(head & 0x1f));
  return isKey(type) || (type === 28 && (second & 0x80) !== 0 && isKey(second & 0x1f));
}

/** RFC 7798, 4.4: the same with headers of two bytes. Intra pictures are 16 to 21, their parameters 32 to 34. */
function startsH265KeyFrame(payload: Uint8Array): boolean {
  const [first = 0, , third = 0] = payload;
  const isKey = (type: number): boolean => (type >= 16 && type <= 21) || (type >= 32 && type <= 34);
  const type = (first >> 1) & 0x3f;
  if (type === 48) return unitsOf(payload, 2).some((head) => isKey((head >> 1) & 0x3f));
  return isKey(type) || (type === 49 && (third & 0x80) !== 0 && isKey(third & 0x3f));
}

/** The AV1 RTP payload format, 4.4: N marks the first packet of a coded video sequence. */
function startsAv1KeyFrame(payload: Uint8Array): boolean {
  return ((payload[0] ?? 0) & 0x08) !== 0;
}

/** The first byte of each unit of a packet that carries several, each behind its length. */
function unitsOf(payload: Uint8Array, from: number): readonly number[] {
  const heads: number[] = [];
  for (let at = from; at + 2 < payload.length; at += 2 + (((payload[at] ?? 0) << 8) | (payload[at + 1] ?? 0))) {
    heads.push(payload[at + 2] ?? 0);
  }
  return heads;
}
