import { type FrameMark, markBytes, readMark, writeMark } from '../frame-mark.js';
import { MarkCounts } from '../mark-counts.js';
import { isMarkedFree, MarkTurns, readFrameMark, withFrameMark } from '../sei-mark.js';
import type { Clip } from './clip-file.js';
import { ClipPlayer, type FrameType } from './clip-player.js';
import { paddingBytes } from './light-voice.js';
import type { MarkedCodec, StreamCount, StreamOrder } from './worker-wire.js';

/** An encoded frame as the browser hands it over (W3C webrtc-encoded-transform), as far as it is used here. */
export interface EncodedFrame {
  readonly type?: string;
  data: ArrayBuffer;
  getMetadata(): { readonly width?: number; readonly height?: number };
}

export interface FrameHandler {
  /** Puts other data into the frame. */
  handle(frame: EncodedFrame): void;
  /** It goes on now. */
  leave?(frame: EncodedFrame): void;
  want(rung: number): void;
  count(): StreamCount;
}

/** Who handles the frames of one stream. `onKeyFrameWanted` is called when a sender needs one. */
export function frameHandler(order: StreamOrder, clip: Clip, onKeyFrameWanted: () => void): FrameHandler {
  const { kind, direction, marks } = order;
  if (direction === 'receive') return kind === 'video' ? receivedVideo(clip, marks) : receivedSound(marks);
  const sent = kind === 'video' ? sentVideo(clip, order.rung, onKeyFrameWanted) : sentSound(order, clip);
  if (marks?.sender === undefined) return sent;
  const { clock, sender, codec } = marks;
  const put = putters[codec]();
  return { ...sent, leave: (frame) => put(frame, { clock, sender, takenUs: 1000 * nowMs() }) };
}

/** By the clock of the host, as far as a worker is told it. */
const nowMs = (): number => performance.timeOrigin + performance.now();

/** Put a mark into a frame. What was replaced has a phase of its own: it counts as taken when it goes on. */
const putters: Readonly<Record<MarkedCodec, () => (frame: EncodedFrame, mark: FrameMark) => void>> = {
  VP8: () => (frame, mark) => {
    const { byteLength } = frame.data;
    const data = new Uint8Array(byteLength + markBytes);
    data.set(new Uint8Array(frame.data));
    writeMark(mark, data, byteLength);
    frame.data = data.buffer;
  },
  H264: () => {
    const turns = new MarkTurns();
    return (frame, mark) => {
      const data = new Uint8Array(frame.data);
      if (turns.isDue(isMarkedFree(data, typeOf(frame) === 'key'))) frame.data = withFrameMark(data, mark).buffer;
    };
  },
  opus: () => (frame, mark) => {
    const data = new Uint8Array(frame.data);
    if (paddingBytes(data) < markBytes) return;
    writeMark(mark, data, data.byteLength - markBytes);
    frame.data = data.buffer;
  },
};

const readers = { VP8: readMark, H264: readFrameMark, opus: readMark } as const satisfies Record<MarkedCodec, unknown>;

const typeOf = (frame: EncodedFrame): FrameType => (frame.type === 'key' ? 'key' : 'delta');

/** A buffer of the frame's own: the browser takes it with the frame. */
const ownBuffer = (data: Uint8Array): ArrayBuffer => data.slice().buffer as ArrayBuffer;

function sentVideo(clip: Clip, startRung: number, onKeyFrameWanted: () => void): FrameHandler {
  const player = new ClipPlayer(clip.rungs, startRung);
  let [replaced, repeated, keyFrames] = [0, 0, 0];
  return {
    handle(frame) {
      const type = typeOf(frame);
      const { data, inOrder } = player.play(type);
      frame.data = ownBuffer(data);
      if (inOrder) replaced += 1;
      else repeated += 1;
      if (type === 'key') keyFrames += 1;
      if (player.asksForKeyFrame()) onKeyFrameWanted();
    },
    want: (rung) => player.want(rung),
    count: () => ({ replaced, repeated, keyFrames, width: clip.width, height: clip.height, kbps: player.kbps }),
  };
}

function receivedVideo({ standIn }: Clip, asked: StreamOrder['marks']): FrameHandler {
  const marks = markReader(asked);
  let [replaced, keyFrames, width, height] = [0, 0, 0, 0];
  return {
    handle(frame) {
      const isKey = typeOf(frame) === 'key';
      marks?.look(frame);
      if (isKey) {
        // Only key frames say how large the picture is; reading the metadata costs more than the rest of this.
        const said = frame.getMetadata();
        [width, height] = [said.width ?? 0, said.height ?? 0];
        keyFrames += 1;
      }
      frame.data = ownBuffer(isKey ? standIn.key : standIn.delta);
      replaced += 1;
    },
    want: () => undefined,
    count: () => ({ replaced, repeated: 0, keyFrames, width, height, kbps: 0, marks: marks?.take() }),
  };
}

function markReader(asked: StreamOrder['marks']) {
  if (!asked) return undefined;
  const counts = new MarkCounts(asked.clock, asked.sender);
  const read = readers[asked.codec];
  return {
    look: (frame: EncodedFrame): void => counts.note(read(new Uint8Array(frame.data)), nowMs()),
    take: () => counts.take(),
  };
}

/** Sound goes on as it came. */
function receivedSound(asked: StreamOrder['marks']): FrameHandler {
  const marks = markReader(asked);
  return {
    handle: (frame) => marks?.look(frame),
    want: () => undefined,
    count: () => ({ ...nothing, marks: marks?.take() }),
  };
}

function sentSound({ light }: StreamOrder, clip: Clip): FrameHandler {
  const packets = light ? clip.lightPackets : clip.packets;
  let replaced = 0;
  return {
    handle(frame) {
      const packet = packets[replaced % Math.max(1, packets.length)];
      if (packet) frame.data = ownBuffer(packet);
      replaced += 1;
    },
    want: () => undefined,
    count: () => ({ ...nothing, replaced }),
  };
}

const nothing: StreamCount = { replaced: 0, repeated: 0, keyFrames: 0, width: 0, height: 0, kbps: 0 };
