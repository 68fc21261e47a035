import { leftForVideo, soundKbps } from '../../../model/rate-control.js';
import type { StreamSample } from '../../../model/sample.js';

/** The lowest rate that is worth a picture of its own, kbit/s. */
const lowestKbps = 100;
/**
 * Of two neighbours. A full sender plays whatever is allowed, and a stream is judged by whether 80 % of a baseline
 * came: with steps this fine, what an encoded sender plays is 87 % of what is allowed, so both pass or fail alike.
 */
const step = 1.14;
/** Down to this share of the ceiling. Less fails by any step, and each rate costs time and memory. */
const fineShare = 0.3;
/** Below: what goes out must never be so little that a bandwidth estimate cannot grow from it (1.5 times, GCC). */
const coarseStep = 1.4;
/**
 * A rate is left at once when less than this of it is allowed. An estimate that wavers by 5 % and was once high enough
 * for a rate is never less than 0.95 / 1.05 of it.
 */
const keptShare = 0.9;
/** What is a little too much is left when it has been so for so many readings in a row, a second apart. */
const lowerReadings = 10;
/** The next higher rate is taken when it has been allowed for so many readings. */
const higherReadings = 5;
/** A rise of two steps is a growing estimate; taken one by one, each step would cost a key frame. */
const leapRungs = 2;
const leapReadings = 2;

/** Caps that leave rates as near to each other as this share have one rung. */
const sameShare = 1.03;

/**
 * What caps leave for a video of that ceiling, kbit/s, ascending: one told by REMB or written in a description, each
 * with numbered packets and without. Each has a rung, because most senders are held by one of them all the time.
 *
 * @param layered where it is the highest layer: what of the rate of all (`of`) the encoders make (`share`), and how
 *   much of that the layers below it have (`beside`)
 */
export function topRates(ceilingKbps: number, { of = ceilingKbps, share = 1, beside = 0 } = {}): readonly number[] {
  const left = (['transport-cc', 'remb'] as const).flatMap((feedback) => [
    leftForVideo(of, true, [feedback]),
    leftForVideo(of, false, [feedback]),
  ]);
  const tops: number[] = [];
  for (const kbps of left.map((all) => Math.min(ceilingKbps, share * all - beside)).sort((one, other) => one - other))
    if (kbps >= sameShare * (tops.at(-1) ?? 0)) tops.push(Math.floor(kbps));
  return tops.filter((kbps, nth) => kbps >= lowestKbps || nth === tops.length - 1);
}

/** The rates, kbit/s, at which a clip is encoded: those and, between and below them, steps. Ascending. */
export function rungLadder(tops: readonly number[]): readonly number[] {
  const [lowest = 0] = tops;
  const rungs: number[] = [];
  for (const top of tops) {
    for (let kbps = (rungs.at(-1) ?? top) * step; kbps < top; kbps *= step) rungs.push(Math.round(kbps));
    rungs.push(top);
  }
  const finest = fineShare * (tops.at(-1) ?? 0) - soundKbps;
  const below = (kbps: number): number => Math.round(kbps / (kbps > finest ? step : coarseStep));
  for (let kbps = below(lowest); kbps >= lowestKbps; kbps = below(kbps)) rungs.unshift(kbps);
  return rungs;
}

/** libwebrtc takes no more than this of an encoder's rate for what is sent again. */
const mostResent = 0.5;
/** Single resent packets cost an encoder a few percent; a clip's next lower rate would be far less. */
const leastResent = 0.1;

/** Share of a sent stream's packets resent since the last reading, as far as an encoder makes room for it. */
export function resentShare(stream: StreamSample | undefined): number {
  if (stream?.direction !== 'send') return 0;
  const { packetsSent = 0, packetsResent = 0 } = stream.metrics;
  return shareGivenWay(packetsSent, packetsResent);
}

/** The same of packets that are counted already. */
export function shareGivenWay(packetsSent: number, packetsResent: number): number {
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

/**
 * Which rung one sender uses. Each change is a key frame, so only what cannot be chance is followed at once: a fall by
 * a tenth, and a rise by two rungs. What is nearer is followed when it lasts.
 */
export class RungChoice {
  private lower = 0;
  private higher = 0;
  private farHigher = 0;

  constructor(
    private readonly rungs: readonly number[],
    private current: number,
  ) {}

  /** To be called each second with what is allowed, kbit/s. */
  choose(allowedKbps: number): number {
    const best = rungFor(allowedKbps, this.rungs);
    this.lower = best < this.current ? this.lower + 1 : 0;
    this.higher = best > this.current ? this.higher + 1 : 0;
    this.farHigher = best >= this.current + leapRungs ? this.farHigher + 1 : 0;
    const lasts = this.lower >= lowerReadings || this.higher >= higherReadings || this.farHigher >= leapReadings;
    return lasts ? this.take(best) : this.fall(allowedKbps);
  }

  /** To be called whenever less may be allowed: what is far too much is left at once. */
  fall(allowedKbps: number): number {
    const isFar = allowedKbps < keptShare * (this.rungs[this.current] ?? 0);
    return isFar ? this.take(Math.min(this.current, rungFor(allowedKbps, this.rungs))) : this.current;
  }

  /** To be called when it begins anew: there is no rate to stay at. */
  jump(allowedKbps: number): number {
    return this.take(rungFor(allowedKbps, this.rungs));
  }

  private take(rung: number): number {
    if (rung === this.current) return rung;
    this.current = rung;
    this.lower = 0;
    this.higher = 0;
    this.farHigher = 0;
    return rung;
  }
}
