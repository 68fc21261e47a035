import { paceAfter } from '../../analysis/search/pace.js';
import { nextStep, resolutionAt } from '../../analysis/search/search.js';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import {
  probesPerUnit,
  type SampledRow,
  type SampledServer,
  type SampledTrial,
  sampledTrial,
  seededServer,
} from './sampled-server.js';
import { passProbability } from './simulated-server.js';

/** How a search is done. */
interface SearchWay {
  readonly foresight: boolean;
  readonly screening: boolean;
  /** Probes join faster from trial to trial, as `--pace auto` lets them; else all at the pace of the plan. */
  readonly autoPace: boolean;
  readonly settleSeconds: number;
}

/** Settling on stored runs of a Kurento, before it ended at the rate asked and since (docs/lab/search.md). */
const settleSeconds = { before: 28, now: 22 } as const;

export const plainWay: SearchWay = {
  foresight: false,
  screening: false,
  autoPace: false,
  settleSeconds: settleSeconds.before,
};
/** As `find` does it where nothing else is asked for. */
export const newWay: SearchWay = { foresight: true, screening: true, autoPace: true, settleSeconds: settleSeconds.now };
export const steadyWay: SearchWay = { ...newWay, autoPace: false };

/** Plain data, so that a worker can send it. */
export interface SampledSearch {
  readonly trulyStable: boolean;
  readonly inside: boolean;
  /** Absent for servers with a flaky zone. */
  readonly oneStepApart?: boolean;
  readonly trials: number;
  readonly seconds: number;
  /** Of the trials that the answer rests on: of the baseline, of the limit, of the size above, and of those between. */
  readonly restsOnSeconds: number;
  readonly probeSeconds: number;
  readonly screened: number;
  readonly wronglyScreened: number;
}

const max = 2048;
const pacePerSecond = 2;

/** Searches one server of a row, by its number. */
export function searchSampled(row: SampledRow, number: number, way: SearchWay): SampledSearch {
  const { server, random } = seededServer(row, number);
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
    const isPaced = way.autoPace && !step.atPlanPace;
    const pace = isPaced
      ? paceAfter(
          { pacePerSecond },
          trials.map(({ paced }) => paced),
          probesPerUnit * step.size,
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
    restsOnSeconds: sum(({ outcome: { size }, seconds }) =>
      size === 1 || (size >= stable && size <= top) ? seconds : 0,
    ),
    probeSeconds: sum(({ probeSeconds }) => probeSeconds),
    screened: trials.filter(({ outcome: { screened } }) => screened).length,
    wronglyScreened: trials.filter(({ wronglyScreened }) => wronglyScreened).length,
  };
}

/** Percentages of a row's servers. */
interface SampledQuality {
  readonly trulyStablePercent: number;
  readonly insidePercent: number;
  readonly oneStepApartPercent: number;
  readonly trials: number;
  readonly wronglyScreenedPercent: number;
}

export function qualityOfSampled(ours: readonly SampledSearch[]): SampledQuality {
  const sharp = ours.filter(({ oneStepApart }) => oneStepApart !== undefined);
  const percent = (of: readonly SampledSearch[], fits: (one: SampledSearch) => boolean) =>
    (100 * of.filter(fits).length) / of.length;
  return {
    trulyStablePercent: percent(ours, ({ trulyStable }) => trulyStable),
    insidePercent: percent(ours, ({ inside }) => inside),
    oneStepApartPercent: percent(sharp, ({ oneStepApart }) => oneStepApart === true),
    trials: total(ours, ({ trials }) => trials) / ours.length,
    wronglyScreenedPercent:
      (100 * total(ours, ({ wronglyScreened }) => wronglyScreened)) /
      Math.max(
        1,
        total(ours, ({ screened }) => screened),
      ),
  };
}

/** Of one way, in multiples of another on the same servers. */
interface TimeRatios {
  readonly mean: number;
  /** Of the times that 95 % of the searches stay within. */
  readonly p95: number;
  /** Of the trials alone that the answer rests on. */
  readonly restsOn: number;
}

export function timeRatios(ours: readonly SampledSearch[], other: readonly SampledSearch[]): TimeRatios {
  const seconds = ({ seconds: took }: SampledSearch) => took;
  return {
    mean: total(ours, seconds) / total(other, seconds),
    p95: nearHighest(ours.map(seconds)) / nearHighest(other.map(seconds)),
    restsOn: total(ours, ({ restsOnSeconds }) => restsOnSeconds) / total(other, seconds),
  };
}

export function total<One>(of: readonly One[], what: (one: One) => number): number {
  return of.reduce((sum, one) => sum + what(one), 0);
}

function nearHighest(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
}
