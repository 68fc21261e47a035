import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { SequenceLine } from '../../rtp/sequence-line.js';
import { OrderedPackets } from '../media/ordered-packets.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { MixOutput } from './mix-output.js';
import { mixJitterMs } from './mixer-pipeline.js';

/** Codecs that the mixer decodes. */
const decodable: Readonly<Record<MediaKind, string>> = { audio: 'opus', video: 'vp8' };

/** What a member has of its room. */
interface RoomOfSeat {
  feed(kind: MediaKind, packet: RtpPacket): void;
  requestKeyFrame(): void;
  /** Somebody begins or ends to receive what is mixed for this member. */
  onReceivers(): void;
}

/** What a room knows of one member. */
export class SeatState {
  readonly inputs: Readonly<Record<MediaKind, MediaInput>>;
  readonly outputs: Readonly<Record<MediaKind, MixOutput>>;
  readonly #losses = new LossWatch(mixJitterMs);
  #videoSource: MediaOutput | undefined;

  constructor({ feed, requestKeyFrame, onReceivers }: RoomOfSeat) {
    const input = (kind: MediaKind): MediaInput => ({
      kind,
      // What goes into a Composite is not capped, as in Kurento.
      maxKbps: 0,
      receive: (packet, codec, from, nowMs) => {
        if (!codec.startsWith(decodable[kind])) return;
        if (kind === 'video') this.#noteVideo(packet, from, nowMs);
        feed(kind, packet);
      },
    });
    this.inputs = { audio: input('audio'), video: input('video') };
    this.outputs = {
      audio: new MixOutput('audio', () => {}, onReceivers),
      video: new MixOutput('video', requestKeyFrame, onReceivers),
    };
  }

  #noteVideo(packet: RtpPacket, from: MediaOutput, nowMs: number): void {
    this.#videoSource = from;
    if (this.#losses.note(packet, nowMs)) from.requestKeyFrame();
  }

  get sendsVideo(): boolean {
    return this.#videoSource !== undefined;
  }

  askSourceForKeyFrame(): void {
    this.#videoSource?.requestKeyFrame();
  }
}

/** Notices packets that a buffer of fixed length has given up: decoding goes on at a key frame only. */
class LossWatch {
  readonly #bufferMs: number;
  #ssrc: number | undefined;
  #line = new SequenceLine();
  #ordered: OrderedPackets<true>;

  constructor(bufferMs: number) {
    this.#bufferMs = bufferMs;
    this.#ordered = new OrderedPackets(bufferMs);
  }

  /** True when a packet before this one was missing for too long. */
  note({ ssrc, sequenceNumber }: RtpPacket, nowMs: number): boolean {
    if (this.#ssrc !== ssrc) this.#begin(ssrc);
    const restartsBefore = this.#line.restarts;
    const extended = this.#line.place(sequenceNumber);
    if (extended === undefined) return false;
    if (this.#line.restarts > restartsBefore) this.#ordered = new OrderedPackets(this.#bufferMs);
    return this.#ordered.receive(extended, true, nowMs).some(({ type }) => type === 'skipped');
  }

  #begin(ssrc: number): void {
    this.#ssrc = ssrc;
    this.#line = new SequenceLine();
    this.#ordered = new OrderedPackets(this.#bufferMs);
  }
}
