import type { ProbeFailureCode } from './trial.js';

/** How one participant of a trial by arrivals joined, told once it was answered and its candidates taken, or it failed. */
export interface ArrivedJoin {
  readonly participant: string;
  readonly session: string;
  /** By the schedule, which waits for nobody. */
  readonly dueMs: number;
  /** When the generator began it; absent: it never did. */
  readonly begunMs?: number;
  /** When its session was there and it was known who offers. */
  readonly createdMs?: number;
  /** When the last of its legs was answered. */
  readonly answeredMs?: number;
  /** When the server had taken its candidates. */
  readonly trickledMs?: number;
  readonly endedMs: number;
  readonly failure?: { readonly code: ProbeFailureCode; readonly detail: string };
}

/** A session that came and went. */
export interface EndedStay {
  readonly session: string;
  /** When all its participants had been answered; absent: they never were. */
  readonly inMs?: number;
  /** When it began to leave. */
  readonly outMs: number;
  readonly endedMs: number;
  /** Why it could not be closed. */
  readonly failure?: string;
}
