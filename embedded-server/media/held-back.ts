import type { Clock } from '../../rtp/egress.js';
import type { FramePacket } from './whole-frames.js';

/** Packets that are handed on so much later than they came, in their order. */
export class HeldBack {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #handOn: (packets: readonly FramePacket[], nowMs: number) => void;
  readonly #waiting: (readonly FramePacket[])[] = [];
  #closed = false;

  constructor(clock: Clock, delayMs: number, handOn: (packets: readonly FramePacket[], nowMs: number) => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#handOn = handOn;
  }

  take(packets: readonly FramePacket[]): void {
    // A packet is lent, its payload is not.
    this.#waiting.push(packets.map(({ packet, codec }) => ({ packet: { ...packet }, codec })));
    // Each time some are due, the first that wait go: whichever timer is first, the order stays.
    this.#clock.after(this.#delayMs, () => {
      const next = this.#waiting.shift();
      if (next && !this.#closed) this.#handOn(next, this.#clock.nowMs());
    });
  }

  close(): void {
    this.#closed = true;
  }
}
