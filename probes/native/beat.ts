import type { Clock } from '../../embedded-server/media/egress.js';

interface Beat {
  readonly startedMs: number;
  readonly periodMs: number;
  readonly act: (first: number, last: number) => void;
  next: number;
  ended: boolean;
}

/** What a time and a span added to it may be off: so much too early is in time. */
const roundingMs = 0.001;

const dueAt = ({ startedMs, periodMs, next }: Beat): number => startedMs + next * periodMs;

/** The beats of one clock, by when they are due next: one timer for all, and one waking for those that are due together. */
class Beats {
  /** A binary heap: none is due before the one in place (n - 1) / 2. */
  readonly #heap: Beat[] = [];
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(beat: Beat): void {
    this.#heap.push(beat);
    this.#rise(this.#heap.length - 1);
    this.#arm();
  }

  #arm(): void {
    const first = this.#heap[0];
    const dueMs = first ? dueAt(first) : Number.POSITIVE_INFINITY;
    if (this.#cancel && dueMs >= this.#armedForMs) return;
    this.#cancel?.();
    this.#cancel = undefined;
    if (!first) return;
    this.#armedForMs = dueMs;
    this.#cancel = this.#clock.after(Math.max(0, dueMs - this.#clock.nowMs()), () => {
      this.#cancel = undefined;
      this.#wake();
    });
  }

  #wake(): void {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (first.ended) this.#removeFirst();
      else if (dueAt(first) > this.#clock.nowMs() + roundingMs) break;
      else {
        const from = first.next;
        const last = Math.max(from, Math.floor((this.#clock.nowMs() - first.startedMs) / first.periodMs));
        first.next = last + 1;
        this.#sink(0);
        first.act(from, last);
      }
    }
    this.#arm();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfLater(above, at)) return;
      at = above;
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      const child = this.#isLater(left, left + 1) ? left + 1 : left;
      if (!this.#swapIfLater(at, child)) return;
      at = child;
    }
  }

  #isLater(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    return one !== undefined && other !== undefined && dueAt(one) > dueAt(other);
  }

  #swapIfLater(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other || dueAt(one) <= dueAt(other)) return false;
    this.#heap[a] = other;
    this.#heap[b] = one;
    return true;
  }
}

const beatsOf = new WeakMap<Clock, Beats>();

/** Acts at even times, told which one it is: those that are over when it wakes are told together. Returns what ends it. */
export function startBeat(clock: Clock, periodMs: number, act: (first: number, last: number) => void): () => void {
  const beats = beatsOf.get(clock) ?? new Beats(clock);
  beatsOf.set(clock, beats);
  const beat: Beat = { startedMs: clock.nowMs(), periodMs, act, next: 0, ended: false };
  beats.add(beat);
  return () => {
    beat.ended = true;
  };
}
