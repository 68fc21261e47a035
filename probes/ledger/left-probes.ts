import type { Sample } from '../../model/sample.js';

/** Who has left while others go on. */
export class LeftProbes {
  private readonly sinceMs = new Map<string, number>();

  leaves(probe: string, atMs: number): void {
    this.sinceMs.set(probe, atMs);
  }

  /** Until its connections are closed it goes on, alone perhaps: that is no part of its stay. */
  without(samples: readonly Sample[]): readonly Sample[] {
    if (this.sinceMs.size === 0) return samples;
    return samples.filter(({ probe, atMs }) => atMs <= (this.sinceMs.get(probe) ?? Number.POSITIVE_INFINITY));
  }
}
