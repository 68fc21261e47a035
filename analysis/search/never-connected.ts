import type { Answer, TrialOutcome } from '../../model/run.js';

/**
 * Where no participant of the smallest size ever had a connection, a server's capacity was not asked for. That holds
 * where the probe side was disturbed, too: neither answer is one.
 */
export function unlessNeverConnected(answer: Answer, history: readonly TrialOutcome[]): Answer {
  const { outcome, cutShort } = answer;
  if (outcome !== 'baseline-unstable' && outcome !== 'void') return answer;
  const asked = outcome === 'void' ? history : history.filter(({ verdict }) => verdict !== 'void');
  const because = asked.at(-1)?.unreached;
  if (because === undefined || asked.some(({ unreached }) => unreached === undefined)) return answer;
  return {
    ...{ outcome: 'never-connected', stable: 0, unstable: null, flaky: [], because },
    ...(cutShort ? { cutShort } : {}),
  };
}
