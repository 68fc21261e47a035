import type { Rung } from './clip-file.js';

export type FrameType = 'key' | 'delta';

/** A new key frame is asked for so many frames before the clip ends: the answer takes a frame or two. */
const askAheadFrames = 15;
/** A key frame that was asked for is not asked for again within so many frames. */
const askAgainFrames = 30;

interface Played {
  readonly data: Uint8Array;
  /** Its place in the chain. */
  readonly nth: number;
  /** False when there was nothing left to send in order: then the last frame goes out a second time. */
  readonly inOrder: boolean;
}

/**
 * The order in which one sender plays the clip. A key frame of the camera's encoder (a PLI, a switch, the loop) starts
 * the clip from its own key frame, at the rate that is allowed then; each delta is the next of the chain. So whoever
 * decodes gets an unbroken chain, and every request for a key frame is answered with a real one.
 */
export class ClipPlayer {
  private readonly rungs: readonly Rung[];
  private rung = 0;
  private wanted: number;
  private next = 0;
  private sinceAsked = askAgainFrames;

  constructor(rungs: readonly Rung[], startRung: number) {
    this.rungs = rungs;
    this.wanted = startRung;
    this.rung = startRung;
  }

  /** Takes effect with the next key frame. */
  want(rung: number): void {
    if (rung === this.wanted) return;
    this.wanted = rung;
    this.sinceAsked = askAgainFrames;
  }

  get kbps(): number {
    return this.rungs[this.rung]?.kbps ?? 0;
  }

  play(type: FrameType): Played {
    this.sinceAsked += 1;
    if (type === 'key') {
      this.rung = this.wanted;
      this.next = 0;
    }
    const frames = this.rungs[this.rung]?.frames ?? [];
    const last = frames.length - 1;
    const inOrder = this.next <= last && (this.next > 0 || type === 'key');
    const nth = Math.min(this.next, last);
    const data = frames[nth] ?? new Uint8Array();
    this.next = Math.min(this.next + 1, frames.length);
    return { data, nth, inOrder };
  }

  /** True when a key frame should be asked for now, because the clip ends or another rate is wanted. */
  asksForKeyFrame(): boolean {
    const left = (this.rungs[this.rung]?.frames.length ?? 0) - this.next;
    if ((left > askAheadFrames && this.rung === this.wanted) || this.sinceAsked < askAgainFrames) return false;
    this.sinceAsked = 0;
    return true;
  }
}
