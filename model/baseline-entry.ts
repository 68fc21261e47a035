import type { Aggregates } from './aggregate.js';

/** What the streams of one role, direction and kind had in the baseline. */
export interface BaselineEntry
  extends Pick<
      Aggregates,
      'fps' | 'rttMs' | 'lossPercent' | 'worstLossPercent5s' | 'jitterMs' | 'frozenPercent' | 'mos' | 'ssim' | 'vmaf'
    >,
    Pick<
      Aggregates,
      | 'frameWidth'
      | 'jitterBufferMs'
      | 'legRttP95Ms'
      | 'stutterMs'
      | 'belowLayerPercent'
      | 'aboveLayerPercent'
      | 'lowLayerKbps'
      | 'middleLayerKbps'
      | 'highLayerKbps'
    > {
  readonly bitrateKbps: number;
  /** Of sounds whose senders speak and pause: for how much of the time they spoke. */
  readonly spokenPercent?: number;
  /** Where they differed: values by rank, the largest first. Absent: the means above are of like streams. */
  readonly places?: {
    /** Of the streams of one participant, or of all of its session. */
    readonly within: 'participant' | 'session';
    readonly bitrateKbps: readonly number[];
    readonly fps?: readonly number[];
  };
}
