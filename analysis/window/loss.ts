import { metricOf, type StreamReading, totalMs } from './stream-reading.js';

/** The two counters a loss is made of: what was lost, and what that is a part of. */
export interface LossCounters {
  readonly lost: string;
  readonly carried: string;
  /** True when `carried` holds the lost packets already (packets sent), false when it is what arrived. */
  readonly carriedIncludesLost: boolean;
}

/** Down-link: what the probe missed. RFC 3550 A.3: late and resent packets lower the count again. */
export const downLink: LossCounters = { lost: 'packetsLost', carried: 'packetsReceived', carriedIncludesLost: false };

/** Up-link: what the server says it missed of what was sent. */
export const upLink: LossCounters = { lost: 'remotePacketsLost', carried: 'packetsSent', carriedIncludesLost: true };

const enoughMs = 4500;

/** What was lost and what was carried, in packets, over the seconds that have both counters. */
export interface LossSums {
  readonly lost: number;
  readonly carried: number;
}

/** `lostIn` says how much of a second's loss counts; all of it, unless said otherwise. */
export function lossSums(
  readings: readonly StreamReading[],
  counters: LossCounters,
  lostIn: (reading: StreamReading, lost: number) => number = (_, lost) => lost,
): LossSums {
  let lost = 0;
  let carried = 0;
  for (const reading of readings) {
    const lostNow = metricOf(reading, counters.lost);
    const carriedNow = metricOf(reading, counters.carried);
    if (lostNow === undefined || carriedNow === undefined) continue;
    lost += lostIn(reading, lostNow);
    carried += carriedNow;
  }
  return { lost, carried };
}

/** Of what was expected, within 0 and 100; `undefined` when nothing was. */
export function percentLost({ lost, carried }: LossSums, { carriedIncludesLost }: LossCounters): number | undefined {
  const expected = carriedIncludesLost ? carried : carried + lost;
  return expected <= 0 ? undefined : Math.min(100, Math.max(0, (100 * lost) / expected));
}

/**
 * Loss in percent over all readings: negative seconds net out against positive ones, and the whole is never below 0.
 * `undefined` when no second has both counters, or no packet was expected.
 */
export function lossPercent(readings: readonly StreamReading[], counters: LossCounters): number | undefined {
  return percentLost(lossSums(readings, counters), counters);
}

/** The highest loss in any 5 s (4.5 s will do, readings are not exact); in a shorter window, the loss of the whole. */
export function worstLossPercent5s(readings: readonly StreamReading[], counters: LossCounters): number | undefined {
  if (totalMs(readings) < enoughMs) return lossPercent(readings, counters);
  // Read once, because each second is part of five spans.
  const seconds = readings.map((reading) => lossSums([reading], counters));
  let worst: number | undefined;
  let first = 0;
  let spanMs = 0;
  readings.forEach((reading, index) => {
    spanMs += reading.intervalMs;
    for (let width = widthOf(readings[first]); spanMs - width >= enoughMs; width = widthOf(readings[first])) {
      spanMs -= width;
      first += 1;
    }
    if (spanMs < enoughMs) return;
    const loss = percentLost(sumOf(seconds, first, index), counters);
    if (loss !== undefined && (worst === undefined || loss > worst)) worst = loss;
  });
  return worst;
}

function sumOf(seconds: readonly LossSums[], first: number, last: number): LossSums {
  let lost = 0;
  let carried = 0;
  for (let index = first; index <= last; index += 1) {
    lost += seconds[index]?.lost ?? 0;
    carried += seconds[index]?.carried ?? 0;
  }
  return { lost, carried };
}

function widthOf(reading: StreamReading | undefined): number {
  return reading?.intervalMs ?? 0;
}
