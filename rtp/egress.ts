import { KeyFrameTurns } from './key-frame-turns.js';

/**
 * What the server sends, counted and, if asked, held to a rate.
 *
 * Every datagram of every endpoint (STUN, DTLS, SRTP, SRTCP) passes here, so that a known limit covers all that a real
 * up-link would carry. A datagram costs its payload plus 28 bytes of IPv4 and UDP header (RFC 791, RFC 768).
 *
 * The limit is a serial line: a datagram leaves when the line has sent all before it and its own bits. What would have
 * to wait longer than the queue is dropped (drop-tail). It is a token bucket one datagram deep, so the rate holds over
 * any stretch longer than the queue, and a late timer delays datagrams but never lowers the rate.
 */
export const headerBytes = 28;
export const queueMs = 100;
/** More is asked of the line than it carries. */
const crowdedMs = queueMs / 2;

export interface Clock {
  nowMs(): number;
  /** How long what is handled now may have waited for this process, at most; absent where nothing waits. */
  lagMs?(): number;
  /** Runs `act` once after `ms`; returns its cancellation. */
  after(ms: number, act: () => void): () => void;
}

/** A socket, as far as sending goes. */
export interface Outlet {
  /** The memory of what is put is free when `put` returns. */
  put(datagram: Buffer, port: number, address: string): void;
}

interface EgressCounts {
  readonly egressBytes: number;
  readonly egressDroppedPackets: number;
}

interface Waiting {
  readonly outlet: Outlet;
  readonly datagram: Buffer;
  readonly port: number;
  readonly address: string;
  /** When its last bit has left. */
  readonly departsAtMs: number;
}

export class Egress {
  readonly #clock: Clock;
  /** Milliseconds of line time per byte; zero without a limit. */
  #msPerByte: number;
  #waiting: Waiting[] = [];
  /** Index of the first entry of `#waiting` that has not left. */
  #first = 0;
  #lineFreeAtMs = 0;
  #cancelTimer: (() => void) | undefined;
  readonly keyFrameTurns = new KeyFrameTurns(this);
  #sentBytes = 0;
  /** When the line was found crowded last. */
  crowdedAtMs = Number.NEGATIVE_INFINITY;
  #droppedPackets = 0;

  /** `limitBps` in bits per second; without it datagrams pass straight through and no timer is ever set. */
  constructor(clock: Clock, limitBps?: number) {
    this.#clock = clock;
    this.#msPerByte = limitBps === undefined ? 0 : 8000 / limitBps;
  }

  counts(): EgressCounts {
    return { egressBytes: this.#sentBytes, egressDroppedPackets: this.#droppedPackets };
  }

  /** The memory of the datagram is free when that returns. */
  send(outlet: Outlet, datagram: Buffer, port: number, address: string): void {
    if (this.#msPerByte === 0) {
      this.#put(outlet, datagram, port, address);
      return;
    }
    const nowMs = this.#clock.nowMs();
    const backlogMs = this.#waitAt(nowMs);
    if (backlogMs > crowdedMs) this.crowdedAtMs = nowMs;
    if (backlogMs > queueMs) {
      this.#droppedPackets += 1;
      return;
    }
    this.#lineFreeAtMs = nowMs + backlogMs + (datagram.length + headerBytes) * this.#msPerByte;
    this.#waiting.push({ outlet, datagram: Buffer.from(datagram), port, address, departsAtMs: this.#lineFreeAtMs });
    this.#arm(nowMs);
  }

  /** How long what is sent now waits before its own bits are sent. */
  get waitMs(): number {
    return this.#waitAt(this.#clock.nowMs());
  }

  /** More than half of the queue is full. Never without a limit. */
  get crowded(): boolean {
    return this.waitMs > crowdedMs;
  }

  /** The line is slower from now on, by this share (below 1) of what is left of it. Without a limit nothing changes. */
  shrink(share: number): void {
    this.#msPerByte /= 1 - share;
  }

  /** Drops what waits; nothing is sent afterwards by timers. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#waiting = [];
    this.#first = 0;
  }

  #waitAt(nowMs: number): number {
    return Math.max(0, this.#lineFreeAtMs - nowMs);
  }

  #arm(nowMs: number): void {
    const next = this.#waiting[this.#first];
    if (next === undefined || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = this.#clock.after(Math.max(1, next.departsAtMs - nowMs), () => {
      this.#cancelTimer = undefined;
      this.#drain();
    });
  }

  #drain(): void {
    const nowMs = this.#clock.nowMs();
    for (let next = this.#waiting[this.#first]; next !== undefined; next = this.#waiting[this.#first]) {
      if (next.departsAtMs > nowMs) break;
      this.#first += 1;
      this.#put(next.outlet, next.datagram, next.port, next.address);
    }
    if (this.#first > 64 || this.#first === this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    this.#arm(nowMs);
  }

  #put(outlet: Outlet, datagram: Buffer, port: number, address: string): void {
    this.#sentBytes += datagram.length + headerBytes;
    outlet.put(datagram, port, address);
  }
}
