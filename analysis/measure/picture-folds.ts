import { metricsOf, type StreamReading } from './stream-reading.js';

/** Fewer frames say nothing of how they vary. */
const leastFrames = 30;

/**
 * How unevenly frames are decoded: the standard deviation of the time between them (webrtc-stats,
 * totalSquaredInterFrameDelay). Freezes are left out, for they have a limit of their own; of those that ended in the
 * same second the mean length is.
 */
export class StutterFold {
  private frames = 0;
  private sumMs = 0;
  private squaredMs = 0;

  add(reading: StreamReading): void {
    const { framesDecoded: frames, interFrameMs: betweenMs, interFrameSquaredMs: squaredMs } = metricsOf(reading);
    const { freezeMs = 0, freezes: ended = 1 } = metricsOf(reading);
    if (frames === undefined || betweenMs === undefined || squaredMs === undefined) return;
    const frozenMs = Math.min(betweenMs, freezeMs);
    const freezes = frozenMs > 0 ? Math.min(frames, Math.max(1, ended)) : 0;
    this.frames += frames - freezes;
    this.sumMs += betweenMs - frozenMs;
    this.squaredMs += Math.max(0, squaredMs - frozenMs ** 2 / Math.max(1, freezes));
  }

  /** `undefined` of too few frames. */
  deviationMs(): number | undefined {
    const { frames, sumMs, squaredMs } = this;
    if (frames < leastFrames) return undefined;
    return Math.sqrt(Math.max(0, squaredMs / frames - (sumMs / frames) ** 2));
  }
}
