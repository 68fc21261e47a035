import type { ProbeFailureCode } from '../../model/trial.js';
import type { ProbeOrder } from '../page/wire.js';
import type { BrowserSet } from './browser-set.js';
import type { ProbeCalls } from './probe-calls.js';
import type { ProbeLedger } from './probe-ledger.js';

/** The parts of the one trial that a fleet serves. */
export interface Trial {
  readonly ledger: ProbeLedger;
  readonly calls: ProbeCalls;
  readonly browsers: BrowserSet;
  readonly pageOf: ReadonlyMap<string, number>;
}

/** A probe that was due at `dueMs` of this process's clock. */
export function startProbe({ ledger, browsers, calls, pageOf }: Trial, order: ProbeOrder, dueMs: number): void {
  const { id } = order.participant;
  ledger.begun(id, performance.now() - dueMs);
  const page = browsers.page(pageOf.get(id) ?? 0);
  page?.start(order).catch((error: unknown) => {
    calls.fail(id, 'page-error', `the page could not start the probe: ${String(error)}`);
  });
}

export function giveUp({ ledger, calls }: Trial, probe: string): void {
  if (!ledger.isSettled(probe)) calls.fail(probe, 'page-error', 'the page does not answer');
}

export const tooEarly = ['aborted', 'the trial ended before this probe was up'] as const;

export function failUnsettled({ ledger, calls }: Trial, code: ProbeFailureCode, why: string): void {
  for (const probe of ledger.unsettled()) calls.fail(probe, code, why);
}
