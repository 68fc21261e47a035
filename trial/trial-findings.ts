import { given } from '../model/given.js';
import { closingsTogether, type ResetProof } from '../model/reset-proof.js';
import type { FoundInTrial } from '../model/trial.js';
import { HeardCandidates } from './heard-candidates.js';

/** What the steps of one trial found out, told by the step that knows it, for its record and for the steps after it. */
export class TrialFindings {
  /** What participants and server offer each other; only of a baseline, which has few of them. */
  readonly heard = new HeardCandidates();
  private found: FoundInTrial = {};

  get now(): FoundInTrial {
    return this.found;
  }

  /** A trial that warms up resets twice: the later reset saw what the load met; what both released is added up. */
  wasReset(proof: ResetProof): void {
    const { reset: before } = this.found;
    const released = proof.released === undefined ? undefined : proof.released + (before?.released ?? 0);
    const byClosing = closingsTogether([before?.byClosing, proof.byClosing]);
    this.add({ reset: { ...before, ...proof, ...given({ released, byClosing }) } });
  }

  networksCleared(cleared: { readonly overflow?: number }): void {
    this.add({ network: { ...(this.found.network ?? { checks: [] }), ...cleared } });
  }

  windowBegan(startMs: number): void {
    this.add({ window: { startMs, endMs: startMs } });
  }

  windowEnded(endMs: number): void {
    if (this.found.window) this.add({ window: { ...this.found.window, endMs } });
  }

  add(found: FoundInTrial): void {
    this.found = { ...this.found, ...found };
  }
}
