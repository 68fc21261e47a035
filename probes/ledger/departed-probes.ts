import type { Sample } from '../../model/sample.js';

/** Probes that have left while others go on. */
export class DepartedProbes {
  private readonly sinceMs = new Map<string, number>();

  leaves(probe: string, atMs: number): void {
    this.sinceMs.set(probe, atMs);
  }

  /** Drops samples from after the stay: a probe gives them until its connections are closed. */
  without(samples: readonly Sample[]): readonly Sample[] {
    if (this.sinceMs.size === 0) return samples;
    return samples.filter(({ probe, atMs }) => atMs <= (this.sinceMs.get(probe) ?? Number.POSITIVE_INFINITY));
  }
}
