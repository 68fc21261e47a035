import type { Sample } from '../model/sample.js';

/** Older samples are stale. */
const freshMs = 2500;

export interface LastSecond {
  /** Lowest of all received video streams. */
  readonly worstFps?: number;
  /** Received by a probe over all its streams, the median of the probes. */
  readonly receivedKbpsMedian?: number;
}

/** What a probe received in its last second. Absent where it was not said. */
interface Received {
  atMs: number;
  worstFps: number | undefined;
  kbps: number | undefined;
}

/** How all probes fare now, for watchers. Samples are not kept: at most one a second is looked at again. */
export class LastSeconds {
  private readonly probes = new Map<string, Received>();

  add(sample: Sample): void {
    const { probe, atMs, intervalMs } = sample;
    const known = this.probes.get(probe);
    if (known && known.atMs >= atMs) return;
    const own = known ?? { atMs, worstFps: undefined, kbps: undefined };
    if (!known) this.probes.set(probe, own);
    let bytes: number | undefined;
    let worstFps: number | undefined;
    for (const stream of sample.streams) {
      if (stream.direction !== 'receive') continue;
      const { bytesReceived, framesDecoded } = stream.metrics;
      if (bytesReceived !== undefined) bytes = (bytes ?? 0) + bytesReceived;
      if (stream.kind !== 'video' || framesDecoded === undefined) continue;
      worstFps = Math.min(worstFps ?? Number.POSITIVE_INFINITY, (framesDecoded * 1000) / intervalMs);
    }
    own.atMs = atMs;
    own.worstFps = worstFps;
    own.kbps = bytes === undefined ? undefined : (bytes * 8) / intervalMs;
  }

  at(nowMs: number): LastSecond {
    const rates: number[] = [];
    let worst: number | undefined;
    for (const { atMs, worstFps, kbps } of this.probes.values()) {
      if (atMs <= nowMs - freshMs) continue;
      if (worstFps !== undefined) worst = Math.min(worst ?? worstFps, worstFps);
      if (kbps !== undefined) rates.push(kbps);
    }
    // As numbers: the usual sort asks a function for each pair.
    const middle = Float64Array.from(rates).sort()[Math.floor(rates.length / 2)];
    return {
      ...(worst === undefined ? {} : { worstFps: worst }),
      ...(middle === undefined ? {} : { receivedKbpsMedian: middle }),
    };
  }
}
