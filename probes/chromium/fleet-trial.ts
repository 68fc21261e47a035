import type { FleetEvent, ProbeFailureCode } from '../../model/trial.js';
import type { ProbeOrder } from '../page/wire.js';
import type { BrowserSet, Loss } from './browser-set.js';
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

export function notAnswering({ calls }: Trial, probe: string): void {
  calls.fail(probe, 'page-error', 'the page does not answer');
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

/** These were played where pages have ended. */
export function failLost(
  { calls }: Trial,
  { kind, browser, pages }: Loss,
  probes: readonly string[],
  tell: (event: FleetEvent) => void,
): void {
  const atMs = Date.now();
  if (kind === 'browser') tell({ type: 'browser-crashed', atMs, browser, probes });
  else tell({ type: 'warning', atMs, text: `Page ${pages.join(', ')} crashed, and with it ${probes.join(', ')}.` });
  for (const probe of probes) {
    calls.fail(probe, `${kind}-crashed`, `the ${kind} that played this probe crashed`, { atMs });
  }
}
