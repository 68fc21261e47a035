/** The life of a trial, in this order. */
export const phases = [
  'reset',
  'network',
  'warm-up',
  'join',
  'settle',
  'measure',
  'leave',
  'check-recordings',
  'clear-network',
] as const;
export type PhaseName = (typeof phases)[number];

export interface PhaseMark {
  readonly phase: PhaseName;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}
