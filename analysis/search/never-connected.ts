import type { Answer, TrialOutcome } from '../../model/run.js';
import { judgedIn } from './unsure.js';

/**
 * Where no participant of the smallest size ever had a connection, a server's capacity was not asked for. That holds
 * where the probe side was disturbed, too: neither answer is one.
 */
export function unlessNeverConnected(answer: Answer, history: readonly TrialOutcome[]): Answer {
  const { outcome, cutShort } = answer;
  if (outcome !== 'baseline-unstable' && outcome !== 'void') return answer;
  const asked = outcome === 'void' ? history : judgedIn(history);
  const because = asked.at(-1)?.unreached;
  if (because === undefined || asked.some(({ unreached }) => unreached === undefined)) return answer;
  return { ...nobody(because), ...(cutShort ? { cutShort } : {}) };
}

/** The end of a run as soon as no repeat can bring anybody a connection; undefined: one may. */
export function waylessAnswer(history: readonly TrialOutcome[]): Answer | undefined {
  const { wayless, unreached } = history.at(-1) ?? {};
  if (!wayless || unreached === undefined) return undefined;
  const isAlike = history.every((trial) => trial.verdict === 'void' || trial.unreached !== undefined);
  return isAlike ? nobody(unreached) : undefined;
}

function nobody(because: string): Answer {
  return { outcome: 'never-connected', stable: 0, unstable: null, flaky: [], because };
}
