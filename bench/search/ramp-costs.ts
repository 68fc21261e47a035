import { nextStep } from '../../analysis/search/search.js';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { linearRamp } from './contenders.js';
import { plainWay } from './measure-sampled.js';
import { type SampledRow, sampledTrial, seededServer } from './sampled-server.js';

/** Probe-seconds of going up by one resolution until something fails, every trial joined at the pace of the plan. */
export interface RampCosts {
  /** One trial of each size, and believed. */
  readonly believed: number;
  /** And then repeated until the limit is as sure as that of the search, by the search's own rules. */
  readonly sure: number;
}

const max = 2048;
const pacePerSecond = 2;
/** Sizes further below the failure are not handed on: they say nothing of the limit, and cost time. */
const handedOn = 0.7;

export function rampCosts(row: SampledRow, number: number): RampCosts {
  const ramp = rampOn(row, number);
  const believed = ramp.probeSeconds();
  const near = handedOn * (ramp.found.unstable ?? 0);
  confirmedBy(
    ramp.tryOnce,
    ramp.found.history.filter(({ size }) => size === 1 || size >= near),
  );
  return { believed, sure: ramp.probeSeconds() };
}

/** A ramp that has been, and the trials that may follow it; all of them count. */
function rampOn(row: SampledRow, number: number) {
  const { server, random } = seededServer(row, number);
  let sum = 0;
  const tryOnce = (size: number): TrialOutcome => {
    const { settleSeconds } = plainWay;
    const past = { pacePerSecond, settleSeconds, trials: 0, planPace: pacePerSecond };
    const trial = sampledTrial(server, { size }, past, random);
    sum += trial.probeSeconds;
    return trial.outcome;
  };
  return { found: linearRamp(undefined).search(tryOnce), tryOnce, probeSeconds: () => sum };
}

function confirmedBy(tryOnce: (size: number) => TrialOutcome, ramped: readonly TrialOutcome[]): void {
  const options = searchSchema.parse({ max, foresight: false, screening: false });
  const history = [...ramped];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return;
    history.push(tryOnce(step.size));
  }
}
