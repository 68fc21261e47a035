import type { StreamSample } from '../../../model/sample.js';

/** The lowest rate that is worth a picture of its own, kbit/s. */
const lowestKbps = 100;
/** Of two neighbours: what goes out must never be so little that a bandwidth estimate cannot grow from it (1.5 times, GCC). */
const step = 1.4;
/**
 * What libwebrtc keeps of an estimate for the sound and its headers, kbit/s: under a REMB of 500 a full sender's video gets
 * 477 (measured, Chromium 156). A server's cap is such an estimate, so the ladder has a rung for it.
 */
export const soundKbps = 23;
/** A rate is left when less than this of it is allowed: estimates waver. */
const keptShare = 0.95;
/** A higher rate is taken when it has been allowed for so many readings in a row, a second apart. */
const steadyReadings = 2;

/** The rates, kbit/s, at which the clip is encoded for a ceiling. Ascending; the last is the ceiling itself. */
export function rungLadder(ceilingKbps: number): readonly number[] {
  const capped = ceilingKbps - soundKbps;
  const rungs = [ceilingKbps];
  for (let kbps = capped; kbps >= lowestKbps; kbps = Math.round(kbps / step)) rungs.unshift(kbps);
  return rungs;
}

/** libwebrtc takes no more than this of an encoder's rate for what is sent again. */
const mostResent = 0.5;
/** Single packets sent again cost an encoder a few percent; the next lower rate of a clip would be far less than that. */
const leastResent = 0.1;

/** Which share of a sent stream's packets was sent again since the reading before, as far as an encoder gives way to it. */
export function resentShare(stream: StreamSample | undefined): number {
  if (stream?.direction !== 'send') return 0;
  const { packetsSent = 0, packetsResent = 0 } = stream.metrics;
  const share = packetsResent / Math.max(1, packetsSent);
  return share < leastResent ? 0 : Math.min(mostResent, share);
}

/** The index of the highest rung that is allowed; the lowest when none is. */
export function rungFor(allowedKbps: number, rungs: readonly number[]): number {
  return Math.max(
    0,
    rungs.findLastIndex((kbps) => kbps <= allowedKbps),
  );
}

/** Which rung one sender uses: down at once, up when it has been allowed for a while, because each change is a key frame. */
export class RungChoice {
  private steady = 0;

  constructor(
    private readonly rungs: readonly number[],
    private current: number,
  ) {}

  choose(allowedKbps: number): number {
    const best = rungFor(allowedKbps, this.rungs);
    const kept = keptShare * (this.rungs[this.current] ?? 0) <= allowedKbps;
    if (best < this.current && !kept) this.current = best;
    this.steady = best > this.current ? this.steady + 1 : 0;
    if (this.steady >= steadyReadings) {
      this.current = best;
      this.steady = 0;
    }
    return this.current;
  }
}
