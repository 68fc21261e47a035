import type { Clock } from '../../rtp/egress.js';
import { type RtpPacket, timestampDistance } from '../../rtp/rtp.js';

/** Senders let the packets of a frame leave together; of one whose way is slow each goes on after so long. */
const waitMs = 5;
/** Of a larger frame so many at a time. */
const packetsMost = 16;

export interface FramePacket {
  readonly packet: RtpPacket;
  readonly codec: string;
}

/**
 * Keeps the packets of a frame of video until the last of them is there (its marker, RFC 3550 5.1), and hands them on
 * together. All of them then leave for one receiver before the first leaves for the next, as they left their sender:
 * who reads many sockets finds a frame in each, and not its parts in two rounds. No frame is whole later for it.
 */
export class WholeFrames {
  readonly #clock: Clock;
  readonly #handOn: (packets: readonly FramePacket[], nowMs: number) => void;
  #held: FramePacket[] = [];
  #ssrc = -1;
  /** Timestamp of the last frame whose end has come. */
  #ended: number | undefined;
  #cancelWait: (() => void) | undefined;

  constructor(clock: Clock, handOn: (packets: readonly FramePacket[], nowMs: number) => void) {
    this.#clock = clock;
    this.#handOn = handOn;
  }

  take(packet: RtpPacket, codec: string, nowMs: number): void {
    if (packet.ssrc !== this.#ssrc) this.#begin(packet.ssrc, nowMs);
    if (this.#isOfFrameBefore(packet)) {
      this.#handOn([{ packet, codec }], nowMs);
      return;
    }
    const [first] = this.#held;
    // The end of the frame before was lost, or comes late.
    if (first && first.packet.timestamp !== packet.timestamp) this.#release(nowMs);
    // A packet is lent, its payload is not.
    this.#held.push({ packet: { ...packet }, codec });
    if (packet.marker) this.#ended = packet.timestamp;
    if (packet.marker || this.#held.length >= packetsMost) this.#release(nowMs);
    else this.#cancelWait ??= this.#clock.after(waitMs, () => this.#release(this.#clock.nowMs()));
  }

  #begin(ssrc: number, nowMs: number): void {
    this.#release(nowMs);
    this.#ssrc = ssrc;
    this.#ended = undefined;
  }

  /** What was overtaken, or sent again, is waited for. */
  #isOfFrameBefore({ timestamp }: RtpPacket): boolean {
    const from = this.#held[0]?.packet.timestamp;
    if (from !== undefined) return timestampDistance(from, timestamp) < 0;
    return this.#ended !== undefined && timestampDistance(this.#ended, timestamp) <= 0;
  }

  #release(nowMs: number): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const packets = this.#held;
    this.#held = [];
    if (packets.length > 0) this.#handOn(packets, nowMs);
  }

  /** What is held is not handed on any more. */
  close(): void {
    this.#cancelWait?.();
    this.#held = [];
  }
}
