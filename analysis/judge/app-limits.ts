import type { ThresholdRule } from '../../model/plan.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { ascending, mean, percentile } from '../statistics/statistics.js';
import { compareText, numberNear, plural, unitAfter } from '../wording/wording.js';
import type { Judgement } from './joining.js';
import type { JudgeInput } from './judge-input.js';
import { joinPercents } from './own-join-rules.js';
import { limitRow } from './threshold-row.js';

type AppRule = Extract<ThresholdRule, { of: 'app' }>;

interface Told {
  readonly probe: string;
  readonly value: number;
}

/** Limits on what join scripts tell of the app, over all who told it: marks of the trial, metrics of its window. */
export function judgeAppLimits(input: JudgeInput): Judgement {
  const rules = (input.thresholds.also ?? []).filter((rule) => rule.of === 'app');
  const judged = rules.map((rule) => {
    const told = toldOf(rule.name, input);
    return { rule, told, row: rowOf(rule, told) };
  });
  return {
    thresholds: judged.map(({ row }) => row),
    reasons: judged.flatMap(({ row, told }) => reasonOf(row, told.length)),
    unmeasured: judged.flatMap(({ rule, told }) => (told.length > 0 ? [] : [untold(rule)])),
  };
}

function toldOf(name: string, { events, window }: JudgeInput): readonly Told[] {
  return events.flatMap((event) => {
    if (event.type !== 'app-value' || event.name !== name) return [];
    const counts = event.of === 'mark' || (window && event.atMs >= window.startMs && event.atMs <= window.endMs);
    return counts ? [{ probe: event.probe, value: event.value }] : [];
  });
}

function rowOf({ name, statistic, comparison, limit, unit }: AppRule, told: readonly Told[]): ThresholdResult {
  const values = ascending(told.map(({ value }) => value));
  const worst = statistic === 'mean' ? mean(values) : percentile(values, joinPercents[statistic]);
  const sign = comparison === 'at-most' ? 1 : -1;
  const [worstOne] = [...told].sort((a, b) => sign * (b.value - a.value) || compareText(a.probe, b.probe));
  const id = { of: 'app', name, statistic, comparison } as const;
  return limitRow({ id, code: 'threshold', unit, limit, comparison }, worst, { worstProbe: worstOne?.probe });
}

function reasonOf(
  { label, worst: measured, limit, unit, worstProbe = '', passed }: ThresholdResult,
  values: number,
): Reason[] {
  if (measured === null || passed) return [];
  const of = plural(values, 'value');
  const text = `${label} is ${numberNear(measured, limit)}${unitAfter(unit)} over ${of} (limit ${limit}${unitAfter(unit)}); the worst is of ${worstProbe}.`;
  return [{ code: 'threshold', text, measured, limit, unit }];
}

function untold({ name }: AppRule): Reason {
  const text = `The join script told no "${name}": a limit on it says nothing.`;
  return { code: 'samples-missing', text };
}
