/** What the streams of one role, direction and kind had in the baseline. */
export interface BaselineEntry {
  readonly bitrateKbps: number;
  readonly fps?: number;
  readonly rttMs?: number;
  readonly lossPercent?: number;
  readonly worstLossPercent5s?: number;
  readonly jitterMs?: number;
  readonly frozenPercent?: number;
  readonly mos?: number;
  readonly frameWidth?: number;
  readonly jitterBufferMs?: number;
  readonly legRttP95Ms?: number;
  readonly stutterMs?: number;
  /** Where they differed: values by rank, the largest first. Absent: the means above are of like streams. */
  readonly places?: {
    /** Of the streams of one participant, or of all of its session. */
    readonly within: 'participant' | 'session';
    readonly bitrateKbps: readonly number[];
    readonly fps?: readonly number[];
  };
}
