import { percentOf } from './stream-reading.js';

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
