import { joiningMs } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { sum } from '../statistics/statistics.js';
import { answerSoFar } from './answer-so-far.js';

interface BudgetQuestion {
  readonly plan: Plan;
  readonly baselineSize: number;
  readonly records: readonly TrialRecord[];
  readonly history: readonly TrialOutcome[];
  /** The trial that would come next. */
  readonly next: { readonly probes: number; readonly warmsUp: boolean; readonly holdMs?: number };
}

/**
 * The answer of a run whose time budget has no room for another trial; undefined while it has. Counted is the time of
 * trials alone, those of before a resume included. The first trial is always begun: nothing is known of its length.
 */
export function answerOutOfTime(question: BudgetQuestion): Answer | undefined {
  const { plan, baselineSize, records, history, next } = question;
  const { budgetMs } = plan.search;
  if (budgetMs === undefined || records.length === 0) return undefined;
  const usedMs = sum(records.map(tookMs));
  const longestMs = Math.max(
    ...records.map((record) => tookMs(record) - warmUpMs(record) - joiningMs(plan, record.probesAsked)),
  );
  const nextWarmUpMs = next.warmsUp ? Math.max(...records.map(warmUpMs)) : 0;
  const longerMs = Math.max(0, (next.holdMs ?? 0) - plan.timing.measureMs);
  if (usedMs + longestMs + longerMs + nextWarmUpMs + joiningMs(plan, next.probes) <= budgetMs) return undefined;
  const text = `The time budget of ${minutes(budgetMs)} min has no room for another trial (${minutes(usedMs)} min used).`;
  return answerSoFar(plan.search, baselineSize, history, text);
}

function tookMs({ startedAtMs, endedAtMs }: TrialRecord): number {
  return endedAtMs - startedAtMs;
}

/** Not every trial has one, so the next is not foreseen to. */
function warmUpMs({ phases }: TrialRecord): number {
  const mark = phases.find(({ phase }) => phase === 'warm-up');
  return mark ? mark.endedAtMs - mark.startedAtMs : 0;
}

function minutes(milliseconds: number): string {
  return String(Math.round(milliseconds / 6000) / 10);
}
