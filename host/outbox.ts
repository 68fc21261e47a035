import type { ForeignMemory } from './foreign-calls.js';

const roomBytes = 256 * 1024;
const most = 512;
/** As much as a picture takes, and more: who makes the next one needs not ask. */
const reserveBytes = 64 * 1024;
const reserve = 128;

/** Who sends what waits. */
export interface Departing {
  /** The datagram stands there in the room, which is written over later. */
  sendFrom(room: ForeignMemory, from: number, to: number): void;
}

/**
 * Datagrams that are made one after the other and leave each at its own time. What makes them finds its code and its
 * tables at hand, and nothing but a call of the kernel is left to do when one is due.
 */
export class Outbox {
  readonly #room: ForeignMemory;
  readonly #departing: (Departing | undefined)[] = new Array<Departing | undefined>(most).fill(undefined);
  readonly #dueMs = new Float64Array(most);
  readonly #ends = new Uint32Array(most + 1);
  #first = 0;
  #count = 0;
  /** Not a number: it is closed. */
  #openAtMs = Number.NaN;

  constructor(memory: (bytes: number) => ForeignMemory) {
    this.#room = memory(roomBytes);
  }

  /** What is put from now on is due then, and not before what was put already. */
  open(dueMs: number): void {
    this.#openAtMs = dueMs;
  }

  /** What is sent from now on does not wait. */
  close(): void {
    this.#openAtMs = Number.NaN;
  }

  /** Keeps a copy. Returns whether it does: not when it is closed or full. */
  put(departing: Departing, datagram: Buffer): boolean {
    const at = this.#ends[this.#count] ?? 0;
    if (Number.isNaN(this.#openAtMs) || this.#count === most || at + datagram.length > roomBytes) return false;
    this.#room.bytes.set(datagram, at);
    this.#departing[this.#count] = departing;
    this.#dueMs[this.#count] = this.#openAtMs;
    this.#count += 1;
    this.#ends[this.#count] = at + datagram.length;
    return true;
  }

  /** When the next one is due; infinity: none waits. */
  get nextMs(): number {
    return this.#first < this.#count ? (this.#dueMs[this.#first] ?? 0) : Number.POSITIVE_INFINITY;
  }

  /** What is put next may find no room: what waits should leave first. */
  get isCrowded(): boolean {
    return this.#count > most - reserve || (this.#ends[this.#count] ?? 0) > roomBytes - reserveBytes;
  }

  /** To be called when one waits. */
  sendNext(): void {
    const nth = this.#first;
    const departing = this.#departing[nth];
    const [from = 0, to = 0] = [this.#ends[nth], this.#ends[nth + 1]];
    this.#first += 1;
    this.#departing[nth] = undefined;
    departing?.sendFrom(this.#room, from, to);
    if (this.#first < this.#count) return;
    this.#first = 0;
    this.#count = 0;
  }
}
