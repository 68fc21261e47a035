import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { Imitation } from '../imitation.js';
import type { FramePacket } from './whole-frames.js';

export interface Holding {
  readonly firstMs: number;
  /** By how much longer each second. */
  readonly growthMs: number;
}

export const holdingOf = (imitation: Imitation, kind: MediaKind): Holding => ({
  firstMs: imitation.delayMs + (kind === 'audio' ? imitation.soundDelayMs : 0),
  growthMs: imitation.delayGrowthMs,
});

export const isHolding = ({ firstMs, growthMs }: Holding): boolean => firstMs > 0 || growthMs > 0;

/** Packets that are handed on so much later than they came, in their order. */
export class HeldBack {
  readonly #clock: Clock;
  readonly #holding: Holding;
  readonly #handOn: (packets: readonly FramePacket[], nowMs: number) => void;
  readonly #waiting: (readonly FramePacket[])[] = [];
  #sinceMs: number | undefined;
  #closed = false;

  constructor(clock: Clock, holding: Holding, handOn: (packets: readonly FramePacket[], nowMs: number) => void) {
    this.#clock = clock;
    this.#holding = holding;
    this.#handOn = handOn;
  }

  take(packets: readonly FramePacket[]): void {
    const { firstMs, growthMs } = this.#holding;
    const nowMs = this.#clock.nowMs();
    this.#sinceMs ??= nowMs;
    // A packet is lent, its payload is not.
    this.#waiting.push(packets.map(({ packet, codec }) => ({ packet: { ...packet }, codec })));
    // Each time some are due, the first that wait go: whichever timer is first, the order stays.
    this.#clock.after(firstMs + (growthMs * (nowMs - this.#sinceMs)) / 1000, () => {
      const next = this.#waiting.shift();
      if (next && !this.#closed) this.#handOn(next, this.#clock.nowMs());
    });
  }

  close(): void {
    this.#closed = true;
  }
}
