import type { RtpPacket } from '../../rtp/rtp.js';

/** A packet on its way. */
export interface Arrival {
  readonly atMs: number;
  /** Place on the sender's line, from zero. */
  readonly index: number;
  readonly packet: RtpPacket;
}

/** A frame as it was sent. */
interface SentFrame {
  readonly isKeyFrame: boolean;
  readonly timestamp: number;
  readonly data: Buffer;
  /** Places of its packets on the sender's line. */
  readonly packets: readonly number[];
}

export interface StreamOptions {
  readonly frames: number;
  readonly ssrc?: number;
  readonly firstNumber?: number;
  readonly firstTimestamp?: number;
  /** Without them nobody can tell a lost frame from lost padding. */
  readonly pictureIds?: boolean;
  readonly keyFrameEach?: number;
  readonly piecesMost?: number;
  /** Share of frames behind which a packet of padding alone is sent. */
  readonly padding?: number;
  readonly random: () => number;
}

export interface SentStream {
  readonly frames: readonly SentFrame[];
  /** As they were sent, frames 33 ms apart. */
  readonly sent: readonly Arrival[];
}

/** VP8 as a browser sends it (RFC 7741): frames in pieces, picture ids of 15 bits, padding between frames. */
export function vp8Stream(options: StreamOptions): SentStream {
  const { random, keyFrameEach = 30, piecesMost = 4, padding = 0 } = options;
  const frames: SentFrame[] = [];
  const sent: Arrival[] = [];
  const add = (frame: number, piece: number, marker: boolean, payload: Buffer, isPadding = false): number => {
    const index = sent.length;
    sent.push({
      atMs: 1000 + frame * 33 + piece * 0.2,
      index,
      packet: {
        payloadType: 96,
        marker,
        padding: isPadding,
        sequenceNumber: ((options.firstNumber ?? 0) + index) & 0xffff,
        timestamp: ((options.firstTimestamp ?? 0) + frame * 3000) >>> 0,
        ssrc: options.ssrc ?? 1,
        payload,
      },
    });
    return index;
  };
  for (let frame = 0; frame < options.frames; frame += 1) {
    const isKeyFrame = frame % keyFrameEach === 0;
    const pieces = 1 + Math.floor(random() * piecesMost);
    const parts: Buffer[] = [];
    const packets: number[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const part = Buffer.from([isKeyFrame ? 0 : 1, frame & 0xff, frame >> 8, piece]);
      parts.push(part);
      packets.push(add(frame, piece, piece === pieces - 1, Buffer.concat([descriptor(piece, frame, options), part])));
    }
    frames.push({ isKeyFrame, timestamp: (frame * 3000) >>> 0, data: Buffer.concat(parts), packets });
    if (random() < padding) add(frame, pieces, false, Buffer.from([0, 0, 3]), true);
  }
  return { frames, sent };
}

function descriptor(piece: number, frame: number, { pictureIds = true }: StreamOptions): Buffer {
  const starts = piece === 0 ? 0x10 : 0;
  const pictureId = (frame + 32_700) & 0x7fff;
  return pictureIds
    ? Buffer.from([0x80 | starts, 0x80, 0x80 | (pictureId >> 8), pictureId & 0xff])
    : Buffer.from([starts]);
}
