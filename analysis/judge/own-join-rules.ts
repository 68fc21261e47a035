import type { ThresholdRule } from '../../model/plan.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { ascending, mean, percentile } from '../statistics/statistics.js';
import { compareText, numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { limitRow } from './threshold-row.js';

type JoinRule = Extract<ThresholdRule, { of: 'join' }>;

/** Which percentile each statistic of joining is; the mean is none. */
export const joinPercents = { max: 100, p99: 99, p95: 95, p50: 50 } as const;

export interface TimedProbe {
  readonly probe: ProbeRecord;
  readonly ms: number;
}

export function slowerFirst(a: TimedProbe, b: TimedProbe): number {
  return b.ms - a.ms || compareText(a.probe.participant.id, b.probe.participant.id);
}

/** In no order, and the probes of which the time is not known: those are unmeasured by the named limits already. */
export interface JoinTimesOf {
  readonly times: readonly TimedProbe[];
  /** Of several the first by name. */
  readonly slowest: TimedProbe | undefined;
  readonly missing: readonly ProbeRecord[];
}

/** The plan's own limits on how long joining takes: other statistics than the named ones, each over all probes. */
export function judgeOwnJoinRules(
  { thresholds, probes, probesAsked }: JudgeInput,
  times: Readonly<Record<JoinRule['time'], JoinTimesOf>>,
): { readonly reasons: readonly Reason[]; readonly thresholds: readonly ThresholdResult[] } {
  const own = thresholds.also ?? [];
  const rules = own.filter((rule) => rule.of === 'join');
  const rows = rules.map((rule) => rowOf(rule, times[rule.time]));
  const shares = own.filter((rule) => rule.of === 'join-success');
  const up = probes.filter((probe) => probe.up).length;
  const successes = shares.map(({ limit }) =>
    successRow(probesAsked === 0 ? undefined : (100 * up) / probesAsked, limit),
  );
  return {
    reasons: [...rows.flatMap(reasonOf), ...successes.flatMap(successReason)],
    thresholds: [...rows, ...successes],
  };
}

export function successRow(percent: number | undefined, limit: number): ThresholdResult {
  return limitRow({ id: { of: 'join-success' }, code: 'threshold', unit: '%', limit, comparison: 'at-least' }, percent);
}

function successReason({ worst, limit, passed }: ThresholdResult): Reason[] {
  if (worst === null || passed) return [];
  const text = `${numberNear(worst, limit)} % of those who were to join did (limit ${limit} %).`;
  return [{ code: 'threshold', text, measured: worst, limit, unit: '%' }];
}

function rowOf({ time, statistic, limit }: JoinRule, { times, slowest, missing }: JoinTimesOf): ThresholdResult {
  const all = times.map(({ ms }) => ms);
  const worst = missing.length > 0 ? undefined : statisticOf(all, statistic);
  const worstProbe = (missing[0] ?? slowest?.probe)?.participant.id;
  return limitRow(joinLimit({ time, statistic }, 'threshold', limit), worst, { worstProbe });
}

export function joinLimit(
  join: Omit<Extract<ThresholdId, { of: 'join' }>, 'of'>,
  code: ThresholdResult['code'],
  limit: number,
) {
  const limitText = `${limit / 1000} s`;
  return { id: { of: 'join', ...join }, code, unit: 'ms', limit, limitText, comparison: 'at-most' } as const;
}

function statisticOf(values: readonly number[], statistic: JoinRule['statistic']): number | undefined {
  // Summed up from the slowest on, so that the mean is the same in whatever order the probes are.
  return statistic === 'mean' ? mean(ascending(values).reverse()) : percentile(values, joinPercents[statistic]);
}

function reasonOf({ label, worst, limit, worstProbe }: ThresholdResult): Reason[] {
  if (worst === null || worst <= limit) return [];
  const [measured, most] = [worst / 1000, limit / 1000];
  const text = `${label} is ${numberNear(measured, most)} s over all probes (limit ${most} s); ${worstProbe ?? 'none'} was the slowest.`;
  return [{ code: 'threshold', text, measured: worst, limit, unit: 'ms' }];
}
