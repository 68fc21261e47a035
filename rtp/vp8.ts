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

/** Whether this is the first packet of a VP8 key frame. */
export function startsKeyFrame(payload: Uint8Array): boolean {
  return readVp8(payload)?.isKeyFrame === true;
}
