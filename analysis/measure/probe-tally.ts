import type { Sample } from '../../model/sample.js';
import type { Writable } from '../../model/writable.js';

/** Page timers are late from here, milliseconds; so are then decoders and network code of the same process. */
export const lateFromMs = 300;

/** A reading longer than this hides what happened inside it: no more of it counts as measured time. */
const longestReadingMs = 1500;

/** What the samples of one probe say of the probe itself, in a window. */
export interface ProbeTally {
  /** Samples whose whole second lies in the window; the sums below are of them. */
  readonly samples: number;
  readonly measuredMs: number;
  readonly late: number;
  readonly worstLateMs: number;
  /** Over all streams that came to it, and that it sent. */
  readonly packetsReceived: number;
  readonly packetsSent: number;
  /** Something was amiss with its page, encoder or camera in one of them. */
  readonly wasDisturbed: boolean;
  /** The end of the last of them; 0 of none. */
  readonly lastMs: number;
  /** Samples that ended in the window, also where their second began before it. */
  readonly ended: number;
  /** How late the latest of those was; absent of none. */
  readonly endedLateMs: number | undefined;
}

export const noTally: ProbeTally = {
  samples: 0,
  measuredMs: 0,
  late: 0,
  worstLateMs: 0,
  packetsReceived: 0,
  packetsSent: 0,
  wasDisturbed: false,
  lastMs: 0,
  ended: 0,
  endedLateMs: undefined,
};

export function isLate({ lateMs }: Sample): boolean {
  return lateMs > lateFromMs;
}

/** The same while it grows. A new object per sample would keep the garbage collector busy. */
export type GrowingTally = Writable<ProbeTally>;

export function countEnded(tally: GrowingTally, { lateMs }: Sample): void {
  tally.ended += 1;
  tally.endedLateMs = Math.max(tally.endedLateMs ?? lateMs, lateMs);
}

export function countSample(tally: GrowingTally, sample: Sample, isDisturbed: boolean): void {
  tally.samples += 1;
  tally.measuredMs += Math.min(sample.intervalMs, longestReadingMs);
  if (isLate(sample)) {
    tally.late += 1;
    tally.worstLateMs = Math.max(tally.worstLateMs, sample.lateMs);
  }
  countPackets(tally, sample);
  tally.wasDisturbed ||= isDisturbed;
  tally.lastMs = sample.atMs;
}

export type Packets = Pick<ProbeTally, 'packetsReceived' | 'packetsSent'>;

export function countPackets(into: Writable<Packets>, { streams }: Sample): void {
  for (const stream of streams) {
    if (stream.direction === 'receive') into.packetsReceived += stream.metrics.packetsReceived ?? 0;
    else into.packetsSent += stream.metrics.packetsSent ?? 0;
  }
}
