import type { Clock } from '../../embedded-server/media/egress.js';
import { SoonestFirst } from './soonest-first.js';

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
  readonly #beats = new SoonestFirst<Beat>(dueAt);
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(beat: Beat): void {
    this.#beats.add(beat);
    this.#arm();
  }

  #arm(): void {
    const first = this.#beats.first;
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
    const nowMs = this.#clock.nowMs();
    for (let first = this.#beats.first; first; first = this.#beats.first) {
      if (first.ended) this.#beats.removeFirst();
      else if (dueAt(first) > nowMs + roundingMs) break;
      else {
        const from = first.next;
        const last = Math.max(from, Math.floor((nowMs - first.startedMs) / first.periodMs));
        first.next = last + 1;
        this.#beats.sinkFirst();
        first.act(from, last);
      }
    }
    this.#arm();
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
