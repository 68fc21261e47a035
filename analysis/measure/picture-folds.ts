import { metricOf, percentOf, type StreamReading } from './stream-reading.js';

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
    const frames = metricOf(reading, 'framesDecoded');
    const betweenMs = metricOf(reading, 'interFrameMs');
    const squaredMs = metricOf(reading, 'interFrameSquaredMs');
    if (frames === undefined || betweenMs === undefined || squaredMs === undefined) return;
    const frozenMs = Math.min(betweenMs, metricOf(reading, 'freezeMs') ?? 0);
    const freezes = frozenMs > 0 ? Math.min(frames, Math.max(1, metricOf(reading, 'freezes') ?? 1)) : 0;
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

/** Encoders round a side to even numbers, and layers are twice as wide as each other. */
const alike = { from: 0.75, to: 1.5 } as const;

/** How long the pictures of a received video were of the layer that was asked for, and how long of others. */
export class LayerTime {
  private readonly ms = { below: 0, above: 0, all: 0 };

  constructor(private readonly askedWidth: number) {}

  /** A second in which pictures of this width were decoded. */
  add(width: number, intervalMs: number): void {
    const { ms, askedWidth } = this;
    ms.all += intervalMs;
    if (width < alike.from * askedWidth) ms.below += intervalMs;
    if (width > alike.to * askedWidth) ms.above += intervalMs;
  }

  get belowPercent(): number | undefined {
    return percentOf(this.ms.below, this.ms.all);
  }

  get abovePercent(): number | undefined {
    return percentOf(this.ms.above, this.ms.all);
  }
}
