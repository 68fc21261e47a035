import type { Writable } from '../../model/writable.js';

/** As many as wait to leave and may be asked for again at most; a power of two. */
const slots = 512;
const keepMs = 1000;

/** A packet with its place in the stream. */
export interface PlacedPacket {
  readonly number: number;
  readonly timestamp: number;
  readonly marker: boolean;
  /** What stands before its body, as `FramePackets` gives it. */
  readonly head: number;
  readonly body: Uint8Array;
}

/**
 * The packets of a stream that wait to leave, and those that left in the last second, to answer NACKs. In columns and
 * with no object for each: what lives for a second is what collecting garbage costs most for.
 */
export class PlacedPackets {
  readonly #numbers = new Uint32Array(slots);
  readonly #timestamps = new Uint32Array(slots);
  readonly #heads = new Float64Array(slots);
  readonly #marked = new Uint8Array(slots);
  readonly #bodies = new Array<Uint8Array | undefined>(slots).fill(undefined);
  readonly #sentAtMs = new Float64Array(slots);
  readonly #resentAtMs = new Float64Array(slots);
  /** The number of the next one to be placed, and of the next one to leave. */
  #next: number;
  #leaving: number;
  /** Of those that wait to leave. */
  waitingBytes = 0;

  constructor(firstNumber: number) {
    this.#next = firstNumber;
    this.#leaving = firstNumber;
  }

  /** Whether so many more can wait. */
  hasRoom(packets: number): boolean {
    return this.#next + packets - this.#leaving <= slots;
  }

  place(head: number, body: Uint8Array, marker: boolean, timestamp: number): void {
    const number = this.#next;
    const slot = number & (slots - 1);
    this.#next += 1;
    this.#numbers[slot] = number;
    this.#timestamps[slot] = timestamp;
    this.#heads[slot] = head;
    this.#marked[slot] = marker ? 1 : 0;
    this.#bodies[slot] = body;
    this.waitingBytes += body.length;
    this.#sentAtMs[slot] = Number.NEGATIVE_INFINITY;
    this.#resentAtMs[slot] = Number.NEGATIVE_INFINITY;
  }

  /** The next one that leaves, which is now, into `to`; false where none waits. */
  leave(nowMs: number, to: Writable<PlacedPacket>): boolean {
    if (this.#leaving === this.#next) return false;
    const slot = this.#leaving & (slots - 1);
    this.#leaving += 1;
    this.#sentAtMs[slot] = nowMs;
    to.number = this.#numbers[slot] ?? 0;
    to.timestamp = this.#timestamps[slot] ?? 0;
    to.marker = this.#marked[slot] === 1;
    to.head = this.#heads[slot] ?? 0;
    to.body = this.#bodies[slot] ?? to.body;
    this.waitingBytes -= to.body.length;
    return true;
  }

  /** The packet to resend, by its 16 bits; `undefined`: too old, not sent, or resent less than `againAfterMs` ago. */
  again(sequenceNumber: number, nowMs: number, againAfterMs: number): PlacedPacket | undefined {
    const slot = sequenceNumber & (slots - 1);
    const [number = 0, body, timestamp = 0, head = 0] = [
      this.#numbers[slot],
      this.#bodies[slot],
      this.#timestamps[slot],
      this.#heads[slot],
    ];
    const [sentAtMs = 0, resentAtMs = 0] = [this.#sentAtMs[slot], this.#resentAtMs[slot]];
    if (!body || (number & 0xffff) !== sequenceNumber) return undefined;
    if (nowMs - sentAtMs > keepMs || nowMs - resentAtMs < againAfterMs) return undefined;
    this.#resentAtMs[slot] = nowMs;
    return { number, timestamp, marker: this.#marked[slot] === 1, head, body };
  }
}
