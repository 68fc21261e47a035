import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { type Answer, namesNoLimit, type RunResult } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { passesAt, trialsAt } from '../measure/trials-at.js';
import { searchCost } from './search-cost.js';
import { asksForOneSize, isUndecided } from './undecided.js';

/** The document that `--format json` prints: a contract with scripts. */
export function runResult({ manifest, records, answer, runDirectory }: FinishedRun): RunResult {
  const {
    stable,
    unstable,
    flaky,
    failedBelow,
    edge,
    lingers,
    background,
    outcome,
    because,
    cutShort,
    interrupted,
    drift,
  } = answer;
  const isKnown = isStableKnown(answer);
  return {
    scenario: manifest.plan.scenario,
    server: manifest.server.name,
    unit: manifest.unit?.many ?? 'sessions',
    limit: {
      stable: isKnown ? stable : null,
      unstable,
      flaky,
      ...(failedBelow ? { failedBelow } : {}),
      ...given({ edge, lingers, background }),
    },
    probesAtLimit: isKnown ? probesAt(records, stable) : null,
    outcome,
    trials: records.map(({ size, probesAsked, verdict, warmUp, screened }) => ({
      size,
      probes: probesAsked,
      verdict: verdict.kind,
      reasons: verdict.reasons.map(({ code, probe, host, session, text }) => ({
        code,
        ...given({ probe, host, session }),
        text,
      })),
      ...given({
        warmUp,
        screened: screened ? (true as const) : undefined,
        disturbedBy: verdict.disturbedBy?.map(({ text }) => text),
      }),
    })),
    runDirectory,
    because,
    ...given({
      labels: manifest.labels,
      cutShort,
      undecided: isOpen({ manifest, answer }) ? (true as const) : undefined,
      unconfirmed: isUnconfirmed(records, stable) ? (true as const) : undefined,
      interrupted,
      drift,
    }),
    ...searchCost({ manifest, records, answer }),
  };
}

/** Whether a stable side of 0 says that nothing held, instead of that nothing is known. */
export function isStableKnown({ stable, outcome }: Pick<Answer, 'stable' | 'outcome'>): boolean {
  return stable > 0 || outcome === 'drifting' || !namesNoLimit(outcome);
}

/** Where a size held with failures alone, they are background, which the answer names. */
function isUnconfirmed(records: readonly TrialRecord[], size: number): boolean {
  const passed = trialsAt(records, size).some(({ verdict }) => verdict.kind === 'stable');
  return passed && passesAt(records, size).length === 0;
}

/** Whether the answer is an interval that the search was not to leave so wide. */
export function isOpen({ manifest, answer }: Pick<FinishedRun, 'manifest' | 'answer'>): boolean {
  return isUndecided(manifest.plan.search, answer, asksForOneSize(manifest.command));
}

/** Probes that a trial of this size asks for; 0 when none of this size was run. */
export function probesAt(records: readonly TrialRecord[], size: number): number {
  return records.find((record) => record.size === size)?.probesAsked ?? 0;
}
