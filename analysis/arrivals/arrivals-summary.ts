import { type ArrivalsRecord, type JoinStep, joinSteps, type TimeCounts } from '../../model/arrivals.js';
import { given } from '../../model/given.js';
import type { CountedByLoad } from '../../model/load.js';
import type { SignallingTraffic } from '../../model/signalling-traffic.js';
import type { TrialRecord } from '../../model/trial.js';
import type { TimeWindow } from '../measure/window.js';
import { highest, mean, sum } from '../statistics/statistics.js';
import { mergedCounts } from './time-histogram.js';

type OfSomeTrials = 'undescribed' | 'failures' | 'late' | 'asleep' | 'served' | 'waitsMs' | 'storm';
/** What became of those who were due in all judged trials of a size together. */
export interface ArrivalsSummary extends Omit<ArrivalsRecord, OfSomeTrials | 'seconds'> {
  readonly seconds: number;
}

export const stepWords: Readonly<Record<JoinStep, string>> = {
  begin: 'begun late',
  create: 'session made',
  describe: 'descriptions made by browsers',
  offer: 'offer answered',
  candidates: 'candidates taken',
  ice: 'ICE',
  dtls: 'DTLS',
  media: 'first frame',
};

export function arrivalsAt(records: readonly TrialRecord[], size: number): ArrivalsSummary | undefined {
  const told = records.filter((record) => record.size === size && record.verdict.kind !== 'void' && record.arrivals);
  const all = told.flatMap(({ arrivals }) => arrivals ?? []);
  const [first] = all;
  if (!first) return undefined;
  const counted = (read: (one: ArrivalsRecord) => TimeCounts | undefined) => {
    const known = all.flatMap((one) => read(one) ?? []);
    return known.length === 0 ? undefined : mergedCounts(known);
  };
  const steps: ArrivalsRecord['steps'] = Object.fromEntries(
    joinSteps.flatMap((step) => {
      const counts = counted((one) => one.steps[step]);
      return counts ? [[step, counts]] : [];
    }),
  );
  const connected = counted((one) => one.connected);
  const firstFrame = counted((one) => one.firstFrame);
  const traffic = totalTraffic(all);
  return {
    sessionsPerSecond: first.sessionsPerSecond,
    ...totals(all, ['due', 'begun', 'answered', 'refused', 'stalled', 'failed', 'leftBadly']),
    seconds: sum(told.map(windowMsOf)) / 1000,
    answer: mergedCounts(all.map(({ answer }) => answer)),
    steps,
    ...given({ connected, firstFrame }),
    presentMean: mean(all.map(({ presentMean }) => presentMean)) ?? 0,
    presentMax: highest(all.map(({ presentMax }) => presentMax)) ?? 0,
    ...(traffic ? { traffic } : {}),
  };
}

/** The last of its seconds may be a part of one. */
export function windowMsOf({ window, arrivals }: CountedByLoad & { window?: TimeWindow | undefined }): number {
  return window ? window.endMs - window.startMs : 1000 * (arrivals?.seconds.length ?? 0);
}

/** Absent unless all of them were counted. */
function totalTraffic(all: readonly ArrivalsRecord[]): SignallingTraffic | undefined {
  const counted = all.flatMap(({ traffic }) => traffic ?? []);
  if (counted.length < all.length) return undefined;
  return totals(counted, ['sentMessages', 'sentBytes', 'receivedMessages', 'receivedBytes', 'roundTrips']);
}

function totals<Name extends string>(all: readonly Readonly<Record<Name, number>>[], names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, sum(all.map((one) => one[name]))])) as Record<Name, number>;
}
