import type { Thresholds } from '../../model/plan.js';
import type { JoinStatistic } from '../../model/threshold-id.js';

/** On the time until all connections of a browser were there, or all its media. */
export interface MediaLimit {
  readonly time: 'time' | 'firstFrame';
  readonly statistic: JoinStatistic;
  readonly limitMs: number;
}

export interface AnswerLimit {
  readonly statistic: JoinStatistic;
  readonly limitMs: number;
}

interface JoinLimits {
  /** On the time from when a join was due until it was answered. */
  readonly answers: readonly AnswerLimit[];
  /** Percent of those who were due. */
  readonly successMin: number;
}

/** Chosen: after half a second without an effect a person notices; one in a thousand may try again. */
const usual = { answer: { statistic: 'p99', limitMs: 500 }, successMin: 99.9 } as const;

/** The plan's own limits take the place of the usual one on the same thing. */
export function joinLimitsOf({ also = [] }: Thresholds): JoinLimits {
  const own = also.flatMap((rule) =>
    rule.of === 'join' && rule.time === 'answer' ? [{ statistic: rule.statistic, limitMs: rule.limit }] : [],
  );
  const success = also.findLast((rule) => rule.of === 'join-success');
  return { answers: own.length > 0 ? own : [usual.answer], successMin: success?.limit ?? usual.successMin };
}

/** Of browsers, from when each was due. The plan's own limit on the same statistic replaces the usual one. */
export function mediaLimitsOf({ firstFrameP95MsMax, also = [] }: Thresholds): readonly MediaLimit[] {
  const own = also.flatMap((rule) =>
    rule.of === 'join' && rule.time !== 'answer'
      ? [{ time: rule.time, statistic: rule.statistic, limitMs: rule.limit }]
      : [],
  );
  const usualFirst = { time: 'firstFrame', statistic: 'p95', limitMs: firstFrameP95MsMax } as const;
  const isGiven = own.some(({ time, statistic }) => time === 'firstFrame' && statistic === 'p95');
  return isGiven ? own : [usualFirst, ...own];
}

export function joinLimitTexts(thresholds: Thresholds): readonly string[] {
  const { answers, successMin } = joinLimitsOf(thresholds);
  return [
    ...answers.map(({ statistic, limitMs }) => `${statistic}(join.answer) ≤ ${limitMs} ms`),
    `join.success ≥ ${successMin} %`,
  ];
}
