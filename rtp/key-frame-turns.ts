/** While the line was crowded so shortly before, key frames are asked for one after the other. */
const crowdedLatelyMs = 1000;
/** What a browser takes to answer with a key frame and to send it. */
const turnMs = 200;
/** A key frame needs room: the one before has left the line. */
const nearlyEmptyMs = 20;
/** However full the line is, nobody who asks waits longer. */
const patienceMs = 3000;

/** What it has to know of the line. */
interface SharedLine {
  readonly crowded: boolean;
  /** How long what is sent now waits before it leaves. */
  readonly waitMs: number;
  /** When it was found crowded last. */
  readonly crowdedAtMs: number;
}

/**
 * When a key frame may be asked for, on a line that all senders' pictures share.
 *
 * A key frame is as large as many frames. On a line that is nearly full, one drives out parts of others, whose viewers
 * then ask for key frames, too: a server at 87 % of its line would stay full of key frames for ever. So while the line
 * is crowded none is asked for, and just after it was, one at a time. Without a limit each may be asked for at once.
 */
export class KeyFrameTurns {
  readonly #line: SharedLine;
  /** Who waits, the longest first. */
  readonly #row = new Set<object>();
  #takenAtMs = Number.NEGATIVE_INFINITY;

  constructor(line: SharedLine) {
    this.#line = line;
  }

  /** True when `who`, waiting since `sinceMs`, may ask now and takes the turn. Else it is queued until it leaves. */
  take(who: object, sinceMs: number, nowMs: number): boolean {
    if (nowMs - sinceMs < patienceMs && !this.#isFree(who, nowMs)) {
      this.#row.add(who);
      return false;
    }
    this.#row.delete(who);
    this.#takenAtMs = nowMs;
    return true;
  }

  /** Waits no longer. */
  leave(who: object): void {
    this.#row.delete(who);
  }

  #isFree(who: object, nowMs: number): boolean {
    if (this.#line.crowded) return false;
    if (nowMs - this.#line.crowdedAtMs >= crowdedLatelyMs) return true;
    const [first] = this.#row;
    if (this.#line.waitMs > nearlyEmptyMs) return false;
    return nowMs - this.#takenAtMs >= turnMs && (first === undefined || first === who);
  }
}
