/** By the golden section: however many streams there are, each one's place is far from all others'. */
const stride = 0.618034;

export interface Timers {
  /** Calls after so many ms, of which a page counts whole ones. Calls due together keep the order they were set in. */
  after(ms: number, call: () => void): void;
}

/**
 * All probes of a page have one camera and one microphone, and what is replaced takes no time to encode: their packets
 * would leave at the same instant, as those of real participants never do, and a server would read many at once, which
 * costs it less than it should. So each stream has a phase of its own, by which all its frames are late: less than the
 * time from one to the next, always the same, in order.
 */
export class FramePhases {
  private streams = 0;

  constructor(
    private readonly frameMs: number,
    private readonly timers: Timers,
  ) {}

  /** How one more stream sends its frames. */
  next(): (send: () => void) => void {
    const delayMs = ((this.streams * stride) % 1) * this.frameMs;
    this.streams += 1;
    if (delayMs === 0) return (send) => send();
    // A timer for each frame, set when it comes: of timers that set each other, browsers make four milliseconds the
    // least.
    return (send) => this.timers.after(delayMs, send);
  }
}
