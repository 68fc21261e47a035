import type { MediaKind } from './scenario.js';

/** Sound that encoded probes send: the one that receivers decode at least cost, or that of Chromium's encoder. */
export type Voice = 'light' | 'ordinary';

/**
 * What a server did to a forwarded stream, besides losing or delaying it. `multiplied`: more came out than went in.
 * `thinned`: fewer came out, without a gap in their numbers. `undecoded`: all came, whole and in time, and much of it
 * could not be played.
 */
export interface MediaChange {
  readonly change: 'multiplied' | 'thinned' | 'undecoded';
  readonly kind: MediaKind;
  /** Who received it, and from whom. */
  readonly probe: string;
  readonly from: string;
  /** A whole sentence, with the numbers. */
  readonly text: string;
}

/** What came out of the media server for what went in, while one session alone was there. */
export interface StimulusProof {
  /** Absent: nothing was encoded before. */
  readonly voice?: Voice;
  /** Empty: one came out for one that went in. */
  readonly changes: readonly MediaChange[];
}
