import { paceAfter } from '../../analysis/search/pace.js';
import { nextStep, resolutionAt } from '../../analysis/search/search.js';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import { linearRamp } from './contenders.js';
import { type SampledRow, type SampledServer, type SampledTrial, sampledTrial } from './sampled-server.js';
import { passProbability } from './simulated-server.js';

/** How a search is done. */
export interface Way {
  readonly foresight: boolean;
  readonly screening: boolean;
  /** Probes join faster from trial to trial, as `--pace auto` lets them; else all at the pace of the plan. */
  readonly autoPace: boolean;
  readonly settleSeconds: number;
}

/** As settling took on stored runs of a Kurento before it ended at the rate asked, and as it would take since (`bench/settling.ts`). */
const settleSeconds = { before: 28, now: 22 } as const;

export const plainWay: Way = {
  foresight: false,
  screening: false,
  autoPace: false,
  settleSeconds: settleSeconds.before,
};
/** As `find` does it where nothing else is asked for. */
export const newWay: Way = { foresight: true, screening: true, autoPace: true, settleSeconds: settleSeconds.now };
export const steadyWay: Way = { ...newWay, autoPace: false };

/** Plain data, so that a worker can send it. */
export interface SampledSearch {
  readonly trulyStable: boolean;
  readonly inside: boolean;
  /** Absent for servers with a flaky zone. */
  readonly oneStepApart?: boolean;
  readonly trials: number;
  readonly seconds: number;
  readonly probeSeconds: number;
  readonly screened: number;
  readonly wronglyScreened: number;
}

const max = 2048;
const pacePerSecond = 2;

/** Searches one server of a row, by its number: each is seeded by its own. */
export function searchSampled({ name, draw }: SampledRow, number: number, way: Way): SampledSearch {
  const random = randomFrom((number + 1) * 7919 + 977 * name.length);
  const server = draw(random);
  const options = searchSchema.parse({
    max,
    ...(way.foresight ? {} : { foresight: false }),
    ...(way.screening ? {} : { screening: false }),
  });
  const trials: SampledTrial[] = [];
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return told(server, options, step.answer, trials);
    const paced = way.autoPace && !step.atPlanPace;
    const pace = paced
      ? paceAfter(
          { pacePerSecond },
          trials.map((one) => one.paced),
        )
      : pacePerSecond;
    const past = {
      trials: history.length,
      pacePerSecond: pace,
      planPace: pacePerSecond,
      settleSeconds: way.settleSeconds,
    };
    const trial = sampledTrial(server, step, past, random);
    trials.push(trial);
    history.push(trial.outcome);
  }
}

/** What going up by one resolution until something fails takes on the same server. */
export function rampProbeSeconds({ name, draw }: SampledRow, number: number): number {
  const random = randomFrom((number + 1) * 7919 + 977 * name.length);
  const server = draw(random);
  let sum = 0;
  linearRamp(undefined).search((size) => {
    const past = { trials: 0, pacePerSecond, planPace: pacePerSecond, settleSeconds: settleSeconds.before };
    const trial = sampledTrial(server, { size }, past, random);
    sum += trial.probeSeconds;
    return trial.outcome;
  });
  return sum;
}

function told(
  { tidy }: SampledServer,
  options: SearchOptions,
  { outcome, stable, unstable }: Answer,
  trials: readonly SampledTrial[],
): SampledSearch {
  const isNamed = outcome !== 'void' && outcome !== 'drifting';
  const step = resolutionAt(options, Math.max(1, stable));
  const top = unstable ?? Number.POSITIVE_INFINITY;
  const sum = (of: (trial: SampledTrial) => number) => trials.reduce((total, trial) => total + of(trial), 0);
  const even = tidy.evenChanceAt;
  return {
    trulyStable: isNamed && (stable === 0 ? passProbability(tidy, 1) < 0.8 : passProbability(tidy, stable) >= 0.8),
    inside: isNamed && stable - step <= even && even <= top + step,
    ...(tidy.flakyPercent === 0
      ? { oneStepApart: isNamed && top - stable <= step && stable <= tidy.capacity && top > tidy.capacity }
      : {}),
    trials: trials.length,
    seconds: sum(({ seconds }) => seconds),
    probeSeconds: sum(({ probeSeconds }) => probeSeconds),
    screened: trials.filter(({ outcome: { screened } }) => screened).length,
    wronglyScreened: trials.filter(({ wronglyScreened }) => wronglyScreened).length,
  };
}

/** Shares are percentages of the row's servers, ratios are of the plain way on the same servers. */
export interface SampledQuality {
  readonly trulyStablePercent: number;
  readonly insidePercent: number;
  readonly oneStepApartPercent: number;
  readonly trials: number;
  readonly timeRatio: number;
  readonly timeRatio95: number;
  readonly probeMinutesOfRamp: number;
  readonly wronglyScreenedPercent: number;
}

export function qualityOfSampled(
  ours: readonly SampledSearch[],
  plain: readonly SampledSearch[],
  ramp: readonly number[],
): SampledQuality {
  const sharp = ours.filter(({ oneStepApart }) => oneStepApart !== undefined);
  const percent = (of: readonly SampledSearch[], fits: (one: SampledSearch) => boolean) =>
    (100 * of.filter(fits).length) / of.length;
  const total = (of: readonly SampledSearch[], what: (one: SampledSearch) => number) =>
    of.reduce((sum, one) => sum + what(one), 0);
  const seconds = ({ seconds: took }: SampledSearch) => took;
  return {
    trulyStablePercent: percent(ours, ({ trulyStable }) => trulyStable),
    insidePercent: percent(ours, ({ inside }) => inside),
    oneStepApartPercent: percent(sharp, ({ oneStepApart }) => oneStepApart === true),
    trials: total(ours, ({ trials }) => trials) / ours.length,
    timeRatio: total(ours, seconds) / total(plain, seconds),
    timeRatio95: nearHighest(ours.map(seconds)) / nearHighest(plain.map(seconds)),
    probeMinutesOfRamp: total(ours, ({ probeSeconds }) => probeSeconds) / ramp.reduce((sum, one) => sum + one, 0),
    wronglyScreenedPercent:
      (100 * total(ours, ({ wronglyScreened }) => wronglyScreened)) /
      Math.max(
        1,
        total(ours, ({ screened }) => screened),
      ),
  };
}

function nearHighest(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
}
