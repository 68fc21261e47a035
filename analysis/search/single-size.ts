import type { SearchOptions } from '../../model/plan.js';
import type { Answer, Step, TrialOutcome } from '../../model/run.js';
import { baselineFailuresDemanded } from './demand.js';
import { unlessNeverConnected, waylessAnswer } from './never-connected.js';
import { done } from './situation.js';

/**
 * The steps of `try`: the baseline, because without it nothing says what a session should get, then one trial of the
 * size. Void trials are repeated up to `voidRepeats` times, and a baseline that fails as a search repeats it. Pure, as
 * the search is.
 */
export function singleSizeStep(
  size: number,
  options: SearchOptions,
  baselineSize: number,
  history: readonly TrialOutcome[],
): Step {
  const { voidRepeats } = options;
  const wayless = waylessAnswer(history);
  if (wayless) return done(wayless);
  const baseline = latestOf(history, baselineSize);
  if (!baseline || mayRepeat(history, baselineSize, voidRepeats, baseline)) {
    const text = 'What one alone gets is what all others are judged by.';
    return { kind: 'try', size: baselineSize, why: baseline ? 'repeat-void' : 'baseline', text };
  }
  if (baseline.verdict === 'unstable' && failuresOf(history, baselineSize) < baselineFailuresDemanded(options)) {
    const text = 'One alone was unstable: again, for nothing else can be judged without it.';
    return { kind: 'try', size: baselineSize, why: 'refute', text };
  }
  if (baseline.verdict !== 'stable') return done(unlessNeverConnected(answerAtBaseline(baseline), history));
  const trial = latestOf(history, size);
  if (!trial || mayRepeat(history, size, voidRepeats, trial)) {
    const text = trial ? `The last trial with ${size} was void: again.` : `${size}, as asked.`;
    return { kind: 'try', size, why: trial ? 'repeat-void' : 'fixed', text };
  }
  return done(answerAt(trial, baselineSize));
}

function latestOf(history: readonly TrialOutcome[], size: number): TrialOutcome | undefined {
  return history.findLast((trial) => trial.size === size);
}

function failuresOf(history: readonly TrialOutcome[], size: number): number {
  return history.filter((trial) => trial.size === size && trial.verdict === 'unstable').length;
}

function mayRepeat(history: readonly TrialOutcome[], size: number, voidRepeats: number, latest: TrialOutcome): boolean {
  const voids = history.filter((trial) => trial.size === size && trial.verdict === 'void').length;
  return latest.verdict === 'void' && latest.probesExhausted !== true && voids <= voidRepeats;
}

function answerAtBaseline({ size, verdict }: TrialOutcome): Answer {
  if (verdict === 'void') return nothing(`The baseline of ${size} was void, so nothing can be said.`);
  const because = `The baseline of ${size} was unstable, so no larger size can mean anything.`;
  return { outcome: 'baseline-unstable', stable: 0, unstable: size, flaky: [], because };
}

function answerAt({ size, verdict, probesExhausted, lost }: TrialOutcome, baselineSize: number): Answer {
  if (verdict === 'stable') {
    return {
      outcome: 'reached-max',
      stable: size,
      unstable: null,
      flaky: [],
      because: `${size} was stable, in one trial.`,
    };
  }
  if (verdict === 'unstable') {
    const because = lost ? `The media server went away carrying ${size}.` : `${size} was unstable, in one trial.`;
    return { outcome: lost ? 'server-lost' : 'found', stable: baselineSize, unstable: size, flaky: [], because };
  }
  return nothing(`Every trial with ${size} was void${probesExhausted ? ': the probes ran out' : ''}.`);
}

function nothing(because: string): Answer {
  return { outcome: 'void', stable: 0, unstable: null, flaky: [], because };
}
