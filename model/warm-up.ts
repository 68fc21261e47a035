import type { StimulusProof } from './stimulus.js';

/**
 * One session that joins, leaves and is released before a trial, so that what a server does only once is charged to
 * nobody. It is told and never judged: no sample of it, no recording and no failure is part of the trial.
 */
export interface WarmUp {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly probesAsked: number;
  readonly probesUp: number;
  /** Of the slowest probe, as the same times are judged in a trial; absent when it is not known of all of them. */
  readonly joinMs?: number;
  readonly firstFrameMs?: number;
  /** What went in and came out, once for each voice that was tried; absent: it was not looked at. */
  readonly proofs?: readonly StimulusProof[];
  /** Why not all of them came up; a whole sentence. */
  readonly failure?: string;
}
