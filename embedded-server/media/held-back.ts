import type { StreamKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { Imitation } from '../imitation.js';
import type { FramePacket } from './whole-frames.js';

export interface Holding {
  readonly firstMs: number;
  /** By how much longer each second. */
  readonly growthMs: number;
}

export const holdingOf = (imitation: Imitation, kind: StreamKind): Holding => ({
  firstMs: imitation.delayMs + (kind === 'audio' ? imitation.soundDelayMs : 0),
  growthMs: imitation.delayGrowthMs,
});

export const isHolding = ({ firstMs, growthMs }: Holding): boolean => firstMs > 0 || growthMs > 0;

/** A packet is lent, its payload is not. */
export const keptPackets = (packets: readonly FramePacket[]): readonly FramePacket[] =>
  packets.map(({ packet, codec }) => ({ packet: { ...packet }, codec }));

/** What is handed on so much later than it came, in its order. */
export class HeldBack<Held> {
  readonly #clock: Clock;
  readonly #holding: Holding;
  readonly #handOn: (held: Held, nowMs: number) => void;
  readonly #waiting: Held[] = [];
  #sinceMs: number | undefined;
  #closed = false;

  constructor(clock: Clock, holding: Holding, handOn: (held: Held, nowMs: number) => void) {
    this.#clock = clock;
    this.#holding = holding;
    this.#handOn = handOn;
  }

  take(held: Held): void {
    const { firstMs, growthMs } = this.#holding;
    const nowMs = this.#clock.nowMs();
    this.#sinceMs ??= nowMs;
    this.#waiting.push(held);
    // Each time some are due, the first that wait go: whichever timer is first, the order stays.
    this.#clock.after(firstMs + (growthMs * (nowMs - this.#sinceMs)) / 1000, () => {
      const next = this.#waiting.shift();
      if (next !== undefined && !this.#closed) this.#handOn(next, this.#clock.nowMs());
    });
  }

  close(): void {
    this.#closed = true;
  }
}
