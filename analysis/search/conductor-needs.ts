import type { Participant } from '../../model/scenario.js';
import { expectedStreams } from '../measure/expected-streams.js';

/**
 * What the tool takes itself, beside the probes that it plays. Measured: `docs/bench-scale.md`, with 10,000 probes of two streams,
 * rounded up. It grows with streams, and hardly with the length of a trial.
 */
const ownMb = 100;
const mbPerThousandStreams = 20;
/** Compressed, of a stream in a second: stored runs of a real media server have 38 to 50. */
const bytesPerStreamSecond = 50;

export function streamCount(participants: readonly Participant[]): number {
  return expectedStreams(participants).length;
}

export function conductorMb(streams: number): number {
  return Math.round(ownMb + (mbPerThousandStreams * streams) / 1000);
}

/** Of samples on disk, of so many streams for so long. */
export function samplesMb(streams: number, ms: number): number {
  return (streams * bytesPerStreamSecond * ms) / 1000 / 1e6;
}
