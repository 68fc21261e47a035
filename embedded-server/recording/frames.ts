import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { readVp8, type Vp8Piece } from '../../rtp/vp8.js';
import type { InOrder } from '../media/ordered-packets.js';

/** A whole frame of a picture, or a packet of sound, with the RTP time that it had. */
export interface StoredFrame {
  readonly data: Buffer;
  readonly isKeyFrame: boolean;
  readonly timestamp: number;
}

/** Makes frames of what one stream brings in order. */
export interface FrameMaker {
  frames(steps: readonly InOrder<RtpPacket>[]): readonly StoredFrame[];
  /** True while frames are left out until the next key frame. */
  readonly needsKeyFrame: boolean;
  /** Frames of which something came, and which are not in the recording. */
  readonly framesLeftOut: number;
}

export function frameMakerOf(kind: MediaKind): FrameMaker {
  return kind === 'video' ? new Vp8Frames() : new OpusFrames();
}

/** Each packet of Opus is whole by itself (RFC 7587, 4.2): what is missing leaves a hole and spoils nothing. */
class OpusFrames implements FrameMaker {
  readonly needsKeyFrame = false;
  readonly framesLeftOut = 0;

  frames(steps: readonly InOrder<RtpPacket>[]): readonly StoredFrame[] {
    return steps.flatMap((step) => {
      const data = step.type === 'packet' ? withoutPadding(step.packet) : Buffer.alloc(0);
      if (step.type !== 'packet' || data.length === 0) return [];
      return [{ data, isKeyFrame: true, timestamp: step.packet.timestamp }];
    });
  }
}

interface Unfinished {
  readonly isKeyFrame: boolean;
  readonly timestamp: number;
  readonly parts: Buffer[];
}

/**
 * Joins pieces of VP8 to frames. A frame of which something is missing is left out, and so are all that follow it up to
 * the next key frame, because they are made from it.
 */
class Vp8Frames implements FrameMaker {
  #unfinished: Unfinished | undefined;
  #lastPictureId: number | undefined;
  /** Something is missing behind the last whole frame: perhaps a frame, perhaps only a packet of padding. */
  #hole = false;
  needsKeyFrame = true;
  framesLeftOut = 0;

  frames(steps: readonly InOrder<RtpPacket>[]): readonly StoredFrame[] {
    return steps.flatMap((step) => (step.type === 'skipped' ? this.#skip() : this.#join(step.packet)));
  }

  #skip(): readonly StoredFrame[] {
    if (this.#unfinished !== undefined) this.#break();
    this.#hole = true;
    return [];
  }

  #join(packet: RtpPacket): readonly StoredFrame[] {
    const payload = withoutPadding(packet);
    // A sender that looks for more bandwidth sends packets of padding alone between frames.
    if (payload.length === 0) return [];
    const piece = readVp8(payload);
    const before = piece?.startsFrame ? this.#finish() : [];
    if (piece?.startsFrame) this.#start(piece, packet.timestamp);
    if (piece === undefined || this.#unfinished?.timestamp !== packet.timestamp) {
      // The rest of a frame that began in a hole, or was broken already.
      this.#break();
      return before;
    }
    this.#unfinished.parts.push(payload.subarray(piece.headerBytes));
    return packet.marker ? [...before, ...this.#finish()] : before;
  }

  #start(piece: Vp8Piece, timestamp: number): void {
    if (this.#hole && !this.#follows(piece)) this.needsKeyFrame = true;
    this.#hole = false;
    this.#lastPictureId = piece.pictureId;
    this.#unfinished = { isKeyFrame: piece.isKeyFrame, timestamp, parts: [] };
  }

  /** Consecutive picture ids say that no frame was in the hole. */
  #follows({ pictureId, pictureIdMask }: Vp8Piece): boolean {
    return this.#lastPictureId !== undefined && pictureId === ((this.#lastPictureId + 1) & pictureIdMask);
  }

  #break(): void {
    if (this.#unfinished !== undefined) this.framesLeftOut += 1;
    this.#unfinished = undefined;
    this.needsKeyFrame = true;
  }

  #finish(): readonly StoredFrame[] {
    const frame = this.#unfinished;
    this.#unfinished = undefined;
    if (frame === undefined) return [];
    if (frame.isKeyFrame) this.needsKeyFrame = false;
    if (this.needsKeyFrame) {
      this.framesLeftOut += 1;
      return [];
    }
    return [{ data: Buffer.concat(frame.parts), isKeyFrame: frame.isKeyFrame, timestamp: frame.timestamp }];
  }
}

/** The last byte of padding says how much of it there is (RFC 3550, 5.1). */
function withoutPadding({ padding, payload }: RtpPacket): Buffer {
  return padding ? payload.subarray(0, Math.max(0, payload.length - (payload.at(-1) ?? 0))) : payload;
}
