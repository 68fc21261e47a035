import type { AggregateName } from './aggregate.js';
import type { Direction, StreamKind } from './scenario.js';

/** What is timed of joining: until it is up, until the first frame, until all legs were answered. */
export const joinTimes = ['time', 'firstFrame', 'answer'] as const;
export type JoinTime = (typeof joinTimes)[number];
export const joinStatistics = ['max', 'p99', 'p95', 'p50', 'mean'] as const;
export type JoinStatistic = (typeof joinStatistics)[number];

/** A limit on a value of streams. Left out: kinds or directions that it does not tell apart. */
export interface StreamLimitId {
  readonly aggregate: AggregateName;
  readonly kind?: StreamKind | undefined;
  readonly direction?: Direction | undefined;
  readonly comparison: 'at-most' | 'at-least';
}

/**
 * What a threshold is, whatever it is called: two results are of the same threshold where these are the same. What is
 * limited as a share of the baseline is another thing than the same value as it is, or beyond what its link explains.
 */
export type ThresholdId =
  | {
      readonly of: 'join';
      readonly time: JoinTime;
      readonly statistic: JoinStatistic;
    }
  | { readonly of: 'join-success' }
  /** On what join scripts tell of the app. */
  | {
      readonly of: 'app';
      readonly name: string;
      readonly statistic: JoinStatistic;
      readonly comparison: StreamLimitId['comparison'];
    }
  | (StreamLimitId & {
      readonly of: 'stream';
      /** Absent: the value itself. Where there is no baseline yet, it is a share of what was asked for. */
      readonly shareOf?: 'baseline' | 'expected';
      readonly beyondLink?: true;
    })
  | { readonly of: 'leg'; readonly aggregate: AggregateName; readonly beyondLink?: true }
  | { readonly of: 'bad-probes' }
  /** Of a version that limited something this one does not know. */
  | { readonly of: 'other'; readonly name: string };

/** The same text for the same threshold. For looking up; it is not stored and not read back. */
export function thresholdKey(id: ThresholdId): string {
  switch (id.of) {
    case 'join':
      return [id.of, id.time, id.statistic].join('/');
    case 'stream': {
      const { aggregate, kind = '', direction = '', comparison, shareOf = '', beyondLink } = id;
      return [id.of, aggregate, kind, direction, comparison, shareOf, beyondLink ? 'beyond-link' : ''].join('/');
    }
    case 'leg':
      return [id.of, id.aggregate, id.beyondLink ? 'beyond-link' : ''].join('/');
    case 'bad-probes':
    case 'join-success':
      return id.of;
    case 'app':
      return [id.of, id.name, id.statistic, id.comparison].join('/');
    case 'other':
      return [id.of, id.name].join('/');
  }
}
