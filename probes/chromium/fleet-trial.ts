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

export function startProbe({ browsers, calls, pageOf }: Trial, order: ProbeOrder): void {
  const { id } = order.participant;
  const page = browsers.page(pageOf.get(id) ?? 0);
  page?.start(order).catch((error: unknown) => {
    calls.fail(id, 'page-error', `the page could not start the probe: ${String(error)}`);
  });
}

export const tooEarly = ['aborted', 'the trial ended before this probe was up'] as const;

/** Of a fleet that joins nobody yet, nobody fails. */
export function failUnsettled(
  trial: { readonly ledger: ProbeLedger; readonly calls: Pick<ProbeCalls, 'fail'> } | undefined,
  code: ProbeFailureCode,
  why: string,
): void {
  for (const probe of trial?.ledger.unsettled() ?? []) trial?.calls.fail(probe, code, why);
}
