import type { StreamReading } from './stream-reading.js';

/** A freeze is a gap of three usual ones, or of 150 ms more than one (webrtc-stats, freezeCount). */
const freezeBeyondMs = 150;

/**
 * How long a picture stood still across a change of its SSRC: the decoder before has not seen its end, and the one
 * after not its beginning. It is what the seconds around the change lack of the usual frames, where that is as much as
 * a freeze. Where nothing is known of the second of the change, it counts as a whole if the picture stood still right
 * before it or right after.
 */
export class RestartGap {
  private frames = 0;
  private framesMs = 0;
  /** What the second before lacks, where that is as much as a freeze and nobody counted it. */
  private lackedMs = 0;
  private stoodStill = false;
  /** Of changes that may turn out to lie in a gap. */
  private unknownMs = 0;
  private isAwaited = false;

  /** True from a change on until a frame is known to have come. */
  get isOpen(): boolean {
    return this.isAwaited;
  }

  /** Time without a picture that this second reveals, besides its own if it has no frame. In order of time. */
  passed(reading: StreamReading, frames: number | undefined, reportedMs: number): number {
    const lackedMs = this.lackedBy(reading, frames, reportedMs);
    const isChange = reading.stream?.restarted === true;
    const foundMs = isChange
      ? this.atChange(reading.intervalMs, frames, lackedMs)
      : this.isAwaited
        ? this.afterChange(frames, lackedMs)
        : 0;
    this.lackedMs = isChange || this.isAwaited ? 0 : lackedMs;
    if (!isChange && frames !== undefined && frames > 0) this.isAwaited = false;
    this.stoodStill = frames === 0 || (isChange && foundMs > 0 && this.isAwaited);
    return foundMs;
  }

  private atChange(intervalMs: number, frames: number | undefined, lackedMs: number): number {
    this.isAwaited = frames === undefined || frames === 0;
    if (frames !== undefined) return this.lackedMs + lackedMs;
    if (this.lackedMs > 0 || this.stoodStill) return this.lackedMs + intervalMs;
    this.unknownMs += intervalMs;
    return 0;
  }

  private afterChange(frames: number | undefined, lackedMs: number): number {
    if (frames === undefined) return 0;
    const unknownMs = frames === 0 || lackedMs > 0 ? this.unknownMs : 0;
    this.unknownMs = 0;
    return unknownMs + lackedMs;
  }

  /** Of a second with frames, by how many the stream usually has; 0 where that is no freeze, or is told as one. */
  private lackedBy({ intervalMs }: StreamReading, frames: number | undefined, reportedMs: number): number {
    if (frames === undefined || frames <= 0) return 0;
    const usualMs = this.frames > 0 ? this.framesMs / this.frames : undefined;
    if (reportedMs <= 0) {
      this.frames += frames;
      this.framesMs += intervalMs;
    }
    if (usualMs === undefined) return 0;
    const lackedMs = intervalMs - frames * usualMs - Math.max(0, reportedMs);
    return lackedMs >= Math.max(2 * usualMs, freezeBeyondMs) ? lackedMs : 0;
  }
}
