import type { Sample } from '../model/sample.js';

/** For so long a probe's last sample is taken for how it is now. */
const freshMs = 2500;

export interface LastSecond {
  /** Lowest of all received video streams. */
  readonly worstFps?: number;
  /** Received by a probe over all its streams, the median of the probes. */
  readonly receivedKbpsMedian?: number;
}

/** The samples of one trial in memory: all since `keepFrom`, and the last one of each probe. */
export class SampleIntake {
  private kept: Sample[] = [];
  private readonly latest = new Map<string, Sample>();

  add(samples: readonly Sample[]): void {
    for (const sample of samples) {
      this.kept.push(sample);
      this.latest.set(sample.probe, sample);
    }
  }

  /** Lets go of what ended before; it is stored. Thousands of probes would not fit otherwise. */
  keepFrom(atMs: number): void {
    this.kept = this.kept.filter((sample) => sample.atMs >= atMs);
  }

  all(): readonly Sample[] {
    return this.kept;
  }

  lastSecond(nowMs: number): LastSecond {
    const fresh = [...this.latest.values()].filter((sample) => sample.atMs > nowMs - freshMs);
    const rates: number[] = [];
    let worstFps: number | undefined;
    for (const sample of fresh) {
      let bytes: number | undefined;
      for (const stream of sample.streams) {
        if (stream.direction !== 'receive') continue;
        if (stream.metrics.bytesReceived !== undefined) bytes = (bytes ?? 0) + stream.metrics.bytesReceived;
        const { framesDecoded } = stream.metrics;
        if (stream.kind !== 'video' || framesDecoded === undefined) continue;
        worstFps = Math.min(worstFps ?? Number.POSITIVE_INFINITY, (framesDecoded * 1000) / sample.intervalMs);
      }
      if (bytes !== undefined) rates.push((bytes * 8) / sample.intervalMs);
    }
    const middle = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
    return {
      ...(worstFps === undefined ? {} : { worstFps }),
      ...(middle === undefined ? {} : { receivedKbpsMedian: middle }),
    };
  }
}
