import type { Reason } from '../../model/verdict.js';

export interface ProbeFault {
  readonly reason: Reason;
  /**
   * `load`: the load was not applied, or not measured: the trial says nothing whatever was seen.
   * `blame`: the load was applied, but a failure may be the probes' own: only a failing trial says nothing.
   */
  readonly spoils: 'load' | 'blame';
  /** True when this size itself was too much for the probes, so that larger ones are hopeless. */
  readonly exhausted: boolean;
}

export function spoilsLoad(reason: Reason): ProbeFault {
  return { reason, spoils: 'load', exhausted: false };
}

export const reasonsOf = (faults: readonly ProbeFault[]): Reason[] => faults.map(({ reason }) => reason);
