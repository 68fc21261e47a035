/** What a simulated media server does, in this second, to everything one participant receives. */
export interface Conditions {
  /** Share of the sender's rate and frames that arrives, 0 to 1: what a server out of CPU does not get round to. */
  readonly arrivingShare: number;
  /** Share of packets lost on the way down, 0 to 1. */
  readonly lossShare: number;
  /** Of this second, in milliseconds. */
  readonly frozenMs: number;
  readonly rttMs: number;
  readonly jitterMs: number;
}
