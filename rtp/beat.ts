import { type Due, SoonestFirst } from './soonest-first.js';
import { type Timer, type TimerClock, timerOf } from './timer.js';

/** What a time and a span added to it may be off: so much too early is in time. */
const roundingMs = 0.001;

class Beat implements Due {
  readonly #startedMs: number;
  readonly #periodMs: number;
  readonly #act: (first: number, last: number) => void;
  /** Which one comes next. */
  #next = 0;
  dueMs: number;
  ended = false;

  constructor(startedMs: number, periodMs: number, act: (first: number, last: number) => void) {
    this.#startedMs = startedMs;
    this.#periodMs = periodMs;
    this.#act = act;
    this.dueMs = startedMs;
  }

  /** Goes on to the first one that is not over; returns what tells of those that are. */
  pass(nowMs: number): number {
    const first = this.#next;
    this.#next = Math.max(first, Math.floor((nowMs - this.#startedMs) / this.#periodMs)) + 1;
    this.dueMs = this.#startedMs + this.#next * this.#periodMs;
    return first;
  }

  /** Tells of those from this one on that have been passed. */
  tell(first: number): void {
    this.#act(first, this.#next - 1);
  }
}

/** The beats of one clock, by their next due time: one timer for all, one waking for those due together. */
class Beats {
  readonly #beats = new SoonestFirst<Beat>();
  readonly #clock: TimerClock;
  readonly #timer: Timer;
  #setToMs = Number.POSITIVE_INFINITY;

  constructor(clock: TimerClock) {
    this.#clock = clock;
    this.#timer = timerOf(clock, () => this.#wake());
  }

  add(beat: Beat): void {
    this.#beats.add(beat);
    this.#arm();
  }

  #arm(): void {
    const first = this.#beats.first;
    if (first === undefined || first.dueMs >= this.#setToMs) return;
    this.#setToMs = first.dueMs;
    this.#timer.set(first.dueMs);
  }

  #wake(): void {
    this.#setToMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.nowMs();
    for (let first = this.#beats.first; first; first = this.#beats.first) {
      if (first.ended) this.#beats.removeFirst();
      else if (first.dueMs > nowMs + roundingMs) break;
      else {
        const from = first.pass(nowMs);
        this.#beats.sinkFirst();
        first.tell(from);
      }
    }
    this.#arm();
  }
}

const beatsOf = new WeakMap<TimerClock, Beats>();

/** Acts at even times, told the number; those already over on waking are told together. Returns what ends it. */
export function startBeat(clock: TimerClock, periodMs: number, act: (first: number, last: number) => void): () => void {
  const beats = beatsOf.get(clock) ?? new Beats(clock);
  beatsOf.set(clock, beats);
  const beat = new Beat(clock.nowMs(), periodMs, act);
  beats.add(beat);
  return () => {
    beat.ended = true;
  };
}
