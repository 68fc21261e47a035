import { beginsKeyFrame } from '../../rtp/key-frames.js';
import { readTemporalPlace, readVp8 } from '../../rtp/vp8.js';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What a payload says of its frame, in its codec's own words. */
interface VideoPiece {
  /** `undefined` where the codec's payload does not say it. */
  readonly starts: boolean | undefined;
  readonly isKey: boolean;
  /** Told by some key frames. */
  readonly size?: PictureSize;
  /** As `readTemporalPlace` has it, of the first piece of a frame. */
  readonly place?: number | undefined;
}

/**
 * So much of each payload is deciphered. A probe plays nothing: it reads the codec's own words before a frame (of VP8,
 * six bytes of descriptor and ten of a key frame's head), and the number that a resent packet begins with. In H264 this
 * is a unit with a mark, alone or before a slice. In a key frame it stands behind parameters, and is not read.
 */
export const decipheredBytes = (codec: string | undefined): number => (codec === 'h264' ? h264Bytes : 32);

const h264Bytes = 48;

const nothing: VideoPiece = { starts: false, isKey: false };

/** By the beginning of a payload; `codec` is a name of SDP. `undefined` for codecs whose frames cannot be told here. */
export const videoPieces: Readonly<Record<string, ((payload: Buffer) => VideoPiece) | undefined>> = {
  vp8: readVp8Piece,
  // A unit of H264 says whether it is of a key frame; where a frame begins is told by timestamps (RFC 6184, 5.1).
  h264: (payload) => ({
    starts: undefined,
    isKey: beginsKeyFrame('h264/', payload.subarray(0, h264Bytes)) === true,
  }),
};

function readVp8Piece(payload: Buffer): VideoPiece {
  const piece = readVp8(payload);
  if (!piece) return nothing;
  const { startsFrame: starts, isKeyFrame: isKey, headerBytes } = piece;
  if (!starts) return { starts, isKey };
  const place = readTemporalPlace(payload);
  // RFC 6386, 9.1: three bytes of tag, three of start code, then width and height of 14 bits each.
  const at = headerBytes + 6;
  if (!isKey || payload.length < at + 4) return { starts, isKey, place };
  return {
    starts,
    isKey,
    place,
    size: { width: payload.readUInt16LE(at) & 0x3fff, height: payload.readUInt16LE(at + 2) & 0x3fff },
  };
}
