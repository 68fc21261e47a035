/** Descriptor of a piece of a VP8 frame (RFC 7741, 4.2), as far as needed, and the frame's first bit. */
export interface Vp8Piece {
  /** The first piece of a frame. */
  readonly startsFrame: boolean;
  /** Only told by the first piece (RFC 6386, 9.1). */
  readonly isKeyFrame: boolean;
  /** Counts frames, in 7 or 15 bits; absent where the sender gives none. */
  readonly pictureId: number | undefined;
  /** Largest picture id: the next one after it is zero. */
  readonly pictureIdMask: number;
  readonly headerBytes: number;
}

/** `undefined` when there is nothing behind the descriptor. */
export function readVp8(payload: Uint8Array): Vp8Piece | undefined {
  const [first = 0, extensions = 0] = payload;
  let at = 1;
  let pictureId: number | undefined;
  let pictureIdMask = 0x7f;
  if ((first & 0x80) !== 0) {
    at += 1;
    if ((extensions & 0x80) !== 0) {
      const high = payload[at] ?? 0;
      const long = (high & 0x80) !== 0;
      pictureIdMask = long ? 0x7fff : 0x7f;
      pictureId = long ? ((high & 0x7f) << 8) | (payload[at + 1] ?? 0) : high;
      at += long ? 2 : 1;
    }
    if ((extensions & 0x40) !== 0) at += 1;
    if ((extensions & 0x30) !== 0) at += 1;
  }
  const head = payload[at];
  if (head === undefined) return undefined;
  const startsFrame = (first & 0x10) !== 0 && (first & 0x07) === 0;
  return { startsFrame, isKeyFrame: startsFrame && (head & 0x01) === 0, pictureId, pictureIdMask, headerBytes: at };
}

/**
 * Where a frame stands among temporal layers (RFC 7741, 4.2), in one number: TL0PICIDX in the lowest eight bits, then
 * Y, then TID. `undefined` where its sender does not say all of it, with a picture id, as by libwebrtc.
 */
export function readTemporalPlace(payload: Uint8Array): number | undefined {
  if (((payload[0] ?? 0) & 0x80) === 0 || ((payload[1] ?? 0) & 0xe0) !== 0xe0) return undefined;
  const at = ((payload[2] ?? 0) & 0x80) === 0 ? 3 : 4;
  return (((payload[at + 1] ?? 0) & 0xe0) << 3) | (payload[at] ?? 0);
}

/** Whether this is the first packet of a VP8 key frame. */
export function startsKeyFrame(payload: Uint8Array): boolean {
  return readVp8(payload)?.isKeyFrame === true;
}
