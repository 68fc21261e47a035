import { nextStep } from '../../analysis/search/search.js';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import { linearRamp } from './contenders.js';
import { plainWay } from './measure-sampled.js';
import { type SampledRow, sampledTrial } from './sampled-server.js';

/** Probe-seconds of going up by one resolution until something fails, every trial joined at the pace of the plan. */
export interface RampCosts {
  /** One trial of each size, and believed. */
  readonly believed: number;
  /** And then repeated until the limit is as sure as that of the search, by the search's own rules. */
  readonly sure: number;
}

const max = 2048;
const pacePerSecond = 2;
/** Sizes further below the failure than this are not handed on: they say nothing of the limit, and weighing them takes time. */
const handedOn = 0.7;

export function rampCosts({ name, draw }: SampledRow, number: number): RampCosts {
  const random = randomFrom((number + 1) * 7919 + 977 * name.length);
  const server = draw(random);
  let sum = 0;
  const tryOnce = (size: number): TrialOutcome => {
    const { settleSeconds } = plainWay;
    const past = { trials: 0, pacePerSecond, planPace: pacePerSecond, settleSeconds };
    const trial = sampledTrial(server, { size }, past, random);
    sum += trial.probeSeconds;
    return trial.outcome;
  };
  const ramp = linearRamp(undefined).search(tryOnce);
  const believed = sum;
  const near = handedOn * (ramp.unstable ?? 0);
  confirmedBy(
    tryOnce,
    ramp.history.filter(({ size }) => size === 1 || size >= near),
  );
  return { believed, sure: sum };
}

/** What a ramp that believes each trial takes when it settles and joins like this, all the way. */
export function believedRamp(
  { name, draw }: SampledRow,
  number: number,
  joined: { readonly pacePerSecond: number; readonly settleSeconds: number },
): number {
  const random = randomFrom((number + 1) * 7919 + 977 * name.length);
  const server = draw(random);
  let sum = 0;
  linearRamp(undefined).search((size) => {
    const trial = sampledTrial(server, { size }, { ...joined, trials: 0, planPace: joined.pacePerSecond }, random);
    sum += trial.probeSeconds;
    return trial.outcome;
  });
  return sum;
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
