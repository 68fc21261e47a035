/** Into how many parts the time from one frame to the next is divided. Timers of a page are not finer than 4 ms. */
const slots = 8;
/** The n-th stream has slot n times this, modulo `slots`: streams that follow one another are far apart, and all slots are used. */
const stride = 5;
/** Frames that are due within this time of the one that is sent now leave with it, milliseconds. */
const early = 1;

export interface Timers {
  now(): number;
  /** Returns what takes it back. */
  after(ms: number, call: () => void): () => void;
}

interface Held {
  readonly dueMs: number;
  readonly send: () => void;
}

/**
 * All probes of a page have one camera, and replaced frames take no time to encode: they would leave at the same instant, as
 * those of real participants never do, and a server would read many packets at once, which costs it less than it should. So
 * each stream has a phase of its own, by which all its frames are late: less than one frame, always the same, in order.
 */
export class FramePhases {
  private readonly held: Held[] = [];
  private streams = 0;
  /** The one timer that is set. */
  private timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(
    private readonly frameMs: number,
    private readonly timers: Timers,
  ) {}

  /** How one more stream sends its frames. */
  next(): (send: () => void) => void {
    const delayMs = (((this.streams * stride) % slots) * this.frameMs) / slots;
    this.streams += 1;
    if (delayMs === 0) return (send) => send();
    return (send) => {
      this.held.push({ dueMs: this.timers.now() + delayMs, send });
      this.wait();
    };
  }

  private wait(): void {
    if (this.held.length === 0) return;
    const dueMs = Math.min(...this.held.map((one) => one.dueMs));
    if (this.timer && this.timer.dueMs <= dueMs) return;
    this.timer?.cancel();
    const cancel = this.timers.after(Math.max(0, dueMs - this.timers.now()), () => this.release());
    this.timer = { dueMs, cancel };
  }

  private release(): void {
    this.timer = undefined;
    const now = this.timers.now() + early;
    const due = this.held.filter(({ dueMs }) => dueMs <= now);
    const later = this.held.filter(({ dueMs }) => dueMs > now);
    this.held.splice(0, this.held.length, ...later);
    for (const { send } of due) send();
    this.wait();
  }
}
