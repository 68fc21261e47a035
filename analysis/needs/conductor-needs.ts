/**
 * What the tool takes itself, beside the probes that it plays: an estimate. A process without a trial has some 100 MB.
 * Trials of 10,000 and of 20,000 streams were seen to take 16 to 21 MB a thousand beside that at the highest, which is
 * when they are stored; ten minutes take hardly more than one (docs/lab/scale.md).
 */
const ownMb = 100;
const mbPerThousandStreams = 20;
/** Compressed, of a stream in a second: stored runs of a real media server have 38 to 50. */
const bytesPerStreamSecond = 50;

export function conductorMb(streams: number): number {
  return Math.round(ownMb + (mbPerThousandStreams * streams) / 1000);
}

/** Of samples on disk, of so many streams for so long. */
export function samplesMb(streams: number, ms: number): number {
  return (streams * bytesPerStreamSecond * ms) / 1000 / 1e6;
}
