import type { Clock } from './egress.js';

/** Acts once for each time that it is set, and is set again and again. */
export interface Timer {
  /** In place of the time that it was set to before, if that has not come yet. */
  set(dueMs: number): void;
  /** It does not act until it is set again. */
  clear(): void;
}

/** A clock that may have timers of its own, which make no object each time. */
export interface TimerClock extends Clock {
  timer?(act: () => void): Timer;
}

export function timerOf(clock: TimerClock, act: () => void): Timer {
  return clock.timer?.(act) ?? new ClockTimer(clock, act);
}

class ClockTimer implements Timer {
  readonly #clock: Clock;
  readonly #act: () => void;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, act: () => void) {
    this.#clock = clock;
    this.#act = act;
  }

  set(dueMs: number): void {
    this.#cancel();
    this.#cancel = this.#clock.after(Math.max(0, dueMs - this.#clock.nowMs()), this.#act);
  }

  clear(): void {
    this.#cancel();
  }
}
