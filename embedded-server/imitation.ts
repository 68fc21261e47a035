import type { LayerFault } from '../model/layer.js';

export const congestions = ['remb', 'twcc'] as const;
type Congestion = (typeof congestions)[number];

export const pictureFaults = ['swapped', 'missing', 'still', 'blank', 'half'] as const;
export type PictureFault = (typeof pictureFaults)[number];
export const soundFaults = ['swapped', 'silent'] as const;
export type SoundFault = (typeof soundFaults)[number];

/**
 * What real media servers do that this one does not do unless it is told to: each of these has made a number of a
 * report wrong. docs/lab/embedded-server.md says of each where it was seen.
 */
export interface Imitation {
  /** Time from one report to the next, receiver and sender reports alike; whole seconds. */
  readonly reportIntervalMs: number;
  /** Every so many-th report tells of a delay that has underflowed; absent for none. */
  readonly wrappedReport?: number;
  /** How long the first offer takes until it is answered; 0 for a server that is warm at once. */
  readonly slowFirstJoinMs: number;
  /** It answers so many offers a second and no more; 0 for as fast as it can. */
  readonly answersPerSecond: number;
  /** Whether packets are resent on a stream of their own (RTX, RFC 4588), both ways, where the browser offers it. */
  readonly rtx: boolean;
  /**
   * How a sender learns what it may send: by the cap that it is told (REMB), or besides by its own estimate, from when
   * each of its packets arrived (transport-wide congestion control, with RTX), where the browser offers that.
   */
  readonly congestion: Congestion;
  /** Whether Opus is repacked, as GStreamer servers do: a packet with padding becomes two. */
  readonly repack: boolean;
  /** With each pipeline the egress rate shrinks by this share of what is left; 0: it stays as it is. */
  readonly leakShare: number;
  /** Of a mixed picture, unless the client that makes the room asks for another rate. */
  readonly mixFps: number;
  /** What it forwards leaves so much later than it came. */
  readonly delayMs: number;
  /** And by so much more each second, as where something queues. */
  readonly delayGrowthMs: number;
  /** Sound leaves so much later than the pictures that came with it. */
  readonly soundDelayMs: number;
  /** What is done wrong with pictures, and with sound. Absent: nothing. */
  readonly pictureFault?: PictureFault;
  readonly soundFault?: SoundFault;
  /** Every n-th message on data channels is not handed on: a fault for tests, with no flag. Absent: none. */
  readonly dropsMessages?: number;
  /** What is done wrong with layers. Absent: nothing. */
  readonly layerFault?: LayerFault;
}

/** The server as it is when nothing is asked of it; the frame rate of a mix is that of a Composite as shipped. */
export const wellBehaved: Imitation = {
  reportIntervalMs: 1000,
  slowFirstJoinMs: 0,
  answersPerSecond: 0,
  rtx: false,
  congestion: 'remb',
  repack: false,
  leakShare: 0,
  mixFps: 15,
  delayMs: 0,
  delayGrowthMs: 0,
  soundDelayMs: 0,
};
