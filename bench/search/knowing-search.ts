import { paceAfter } from '../../analysis/search/pace.js';
import { nextStep } from '../../analysis/search/search.js';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { newWay } from './measure-sampled.js';
import { probesPerUnit, type SampledRow, type SampledTrial, sampledTrial, seededServer } from './sampled-server.js';

const max = 2048;
const planPace = 2;
/** One session so often, after which probes join as fast as they may. */
const trialsOfOne = 5;

/**
 * Probe-seconds of a search that knows the limit and has to show it by the rules of the search: it tries one session
 * alone, the largest size that holds, the one above, and then whatever the rules still ask for. No server that falls
 * slowly contradicts it: each is taken as sharp. What a search that looks for the limit takes is held against this.
 */
export function knowingSearchCosts(row: SampledRow, number: number): number {
  const { server: drawn, random } = seededServer(row, number);
  const { capacity } = drawn.tidy;
  const server = { ...drawn, tidy: { ...drawn.tidy, flakyPercent: 0, evenChanceAt: capacity + 0.5 } };
  const options = searchSchema.parse({ max, foresight: false, screening: false });
  const trials: SampledTrial[] = [];
  const history: TrialOutcome[] = [];
  const tryOnce = (step: { readonly size: number; readonly atPlanPace?: true }) => {
    const faster = paceAfter(
      { pacePerSecond: planPace },
      trials.map(({ paced }) => paced),
      probesPerUnit * step.size,
    );
    const past = {
      trials: history.length,
      pacePerSecond: step.atPlanPace ? planPace : faster,
      planPace,
      settleSeconds: newWay.settleSeconds,
    };
    const trial = sampledTrial(server, { size: step.size }, past, random);
    trials.push(trial);
    history.push(trial.outcome);
    return trial.outcome.verdict;
  };
  for (let one = 0; one < trialsOfOne; one += 1) tryOnce({ size: 1 });
  for (const size of [capacity, capacity + 1]) while (tryOnce({ size }) === 'void');
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return trials.reduce((sum, { probeSeconds }) => sum + probeSeconds, 0);
    tryOnce(step);
  }
}
