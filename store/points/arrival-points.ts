import { type ArrivalSecond, type ArrivalsRecord, heatLimitsMs, type TimeCounts } from '../../model/arrivals.js';
import type { TrialRecord } from '../../model/trial.js';
import type { DataPoint, Tags } from './data-point.js';

/** Of a trial by arrivals: what became of those due in its window, in all and by second; none of others. */
export function arrivalPoints(trial: Tags, { arrivals, window, endedAtMs, size }: TrialRecord): readonly DataPoint[] {
  if (!arrivals || !window) return [];
  return [
    {
      measurement: 'loadline_arrivals',
      tags: trial,
      fields: { size, ...trialFields(arrivals) },
      isOfSecond: false,
      atMs: endedAtMs,
    },
    ...arrivals.seconds.map((second, nth) => ({
      measurement: 'loadline_arrivals_second',
      tags: trial,
      fields: { size, ...secondFields(second) },
      isOfSecond: true,
      atMs: window.startMs + 1000 * nth,
    })),
  ];
}

const counted = [
  ...(['due', 'begun', 'answered', 'refused', 'stalled', 'failed'] as const),
  ...(['leftBadly', 'presentMean', 'presentMax'] as const),
] as const;

function trialFields(record: ArrivalsRecord): DataPoint['fields'] {
  const { answer, late, asleep, steps, connected, firstFrame, traffic, storm } = record;
  return {
    sessionsPerSecond: record.sessionsPerSecond,
    ...Object.fromEntries(counted.map((name) => [name, record[name]])),
    answerMeanMs: meanMs(answer),
    answerMaxMs: answer.maxMs,
    lateMaxMs: late.maxMs,
    asleepMaxMs: asleep.maxMs,
    beginMeanMs: meanMs(steps.begin),
    createMeanMs: meanMs(steps.create),
    offerMeanMs: meanMs(steps.offer),
    describeMeanMs: meanMs(steps.describe),
    candidatesMeanMs: meanMs(steps.candidates),
    iceMeanMs: meanMs(steps.ice),
    dtlsMeanMs: meanMs(steps.dtls),
    mediaMeanMs: meanMs(steps.media),
    connectedMeanMs: meanMs(connected),
    connectedMaxMs: connected?.maxMs,
    firstFrameMeanMs: meanMs(firstFrame),
    firstFrameMaxMs: firstFrame?.maxMs,
    ...traffic,
    stormDue: storm?.due,
    stormAnswered: storm?.answered,
    stormAllAnsweredMs: storm?.allAnsweredMs,
    stormOverMs: storm?.overMs,
  };
}

/** `within…Ms`: of those who were due in it, how many were answered within so long. */
function secondFields({ heat, due, begun, answered, refused, stalled, failed }: ArrivalSecond): DataPoint['fields'] {
  const within = heatLimitsMs.map((limit, column) => {
    const count = heat.slice(0, column + 1).reduce((sum, one) => sum + one, 0);
    return [`within${limit}Ms`, count] as const;
  });
  return { due, begun, answered, refused, stalled, failed, ...Object.fromEntries(within) };
}

function meanMs(counts: TimeCounts | undefined): number | undefined {
  return !counts || counts.count === 0 ? undefined : counts.sumMs / counts.count;
}
