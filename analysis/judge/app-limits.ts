import { mostAppValues } from '../../model/app-value.js';
import type { ThresholdRule } from '../../model/plan.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { measuredSpan } from '../measure/stays.js';
import { ascending, highest, lowest, mean } from '../statistics/statistics.js';
import { compareText, numberNear, plural, unitAfter } from '../wording/wording.js';
import type { Judgement } from './joining.js';
import type { JudgeInput } from './judge-input.js';
import { joinPercents } from './own-join-rules.js';
import { limitRow } from './threshold-row.js';

type AppRule = Extract<ThresholdRule, { of: 'app' }>;

/** What each participant that is judged told, by its name. */
type Told = ReadonlyMap<string, readonly number[]>;

/**
 * Limits on what join scripts tell of the app: marks of the trial, metrics of its window. Over all participants of the
 * roles that tell it, and each weighs the same: one that answers slowly is asked less often.
 */
export function judgeAppLimits(input: JudgeInput): Judgement {
  const rules = (input.thresholds.also ?? []).filter((rule) => rule.of === 'app');
  const judged = rules.map((rule) => {
    const { told, unmeasured } = toldOf(rule.name, input);
    return { unmeasured, told, row: rowOf(rule, told, unmeasured[0]?.probe) };
  });
  return {
    thresholds: judged.map(({ row }) => row),
    reasons: judged.flatMap(({ row, told }) => reasonOf(row, told.size)),
    unmeasured: judged.flatMap(({ unmeasured }) => unmeasured),
  };
}

function toldOf(name: string, { events, probes, window }: JudgeInput) {
  const told = new Map<string, number[]>();
  const all = new Map<string, { values: number; lastMs: number }>();
  let areMarks = true;
  for (const event of events) {
    if (event.type !== 'app-value') continue;
    const { values, lastMs } = all.get(event.probe) ?? { values: 0, lastMs: event.atMs };
    all.set(event.probe, { values: values + 1, lastMs: Math.max(lastMs, event.atMs) });
    if (event.name !== name) continue;
    const counts = event.of === 'mark' || (window && event.atMs >= window.startMs && event.atMs <= window.endMs);
    if (!counts) continue;
    areMarks &&= event.of === 'mark';
    const own = told.get(event.probe);
    if (own) own.push(event.value);
    else told.set(event.probe, [event.value]);
  }
  const isFull = (id: string): boolean => {
    const { values, lastMs } = all.get(id) ?? { values: 0, lastMs: 0 };
    return !areMarks && values >= mostAppValues && lastMs < (window?.endMs ?? 0);
  };
  const isThere = (probe: ProbeRecord): boolean =>
    probe.up && probe.failures.length === 0 && (areMarks || (window && measuredSpan(probe, window)) !== undefined);
  const participants = probes.flatMap((probe) => (isThere(probe) ? probe.participant : []));
  const roles = new Set(participants.flatMap(({ id, role }) => (told.has(id) ? role : [])));
  const unmeasured = participants.flatMap(({ id, role, session }): Reason[] => {
    const why = isFull(id) ? `told ${mostAppValues} values, and of its later ones` : 'told';
    if (!roles.has(role) || (told.has(id) && !isFull(id))) return [];
    return [{ ...untold(`${id} ${why} no "${name}"`), probe: id, session }];
  });
  const nobody = untold(`The join script told no "${name}"`);
  unmeasured.sort((a, b) => compareText(a.probe ?? '', b.probe ?? ''));
  return { told, unmeasured: told.size === 0 ? [nobody] : unmeasured };
}

function rowOf(rule: AppRule, told: Told, silent: string | undefined): ThresholdResult {
  const { name, statistic, comparison, limit, unit } = rule;
  const worst = statisticOf(told, statistic);
  const sign = comparison === 'at-most' ? 1 : -1;
  const [worstOne] = [...told]
    .map(([probe, values]) => ({ probe, value: (sign > 0 ? highest(values) : lowest(values)) ?? 0 }))
    .sort((a, b) => sign * (b.value - a.value) || compareText(a.probe, b.probe));
  const id = { of: 'app', name, statistic, comparison } as const;
  const rowWith = (value: number | undefined, worstProbe: string | undefined) =>
    limitRow({ id, code: 'threshold', unit, limit, comparison }, value, { worstProbe });
  const row = rowWith(worst, worstOne?.probe);
  return row.passed && silent !== undefined ? rowWith(undefined, silent) : row;
}

/** The nearest-rank percentile, or the mean, in which all that one participant told weighs as much as another's. */
function statisticOf(told: Told, statistic: AppRule['statistic']): number | undefined {
  if (statistic === 'mean') return mean(ascending([...told.values()].map((values) => mean(ascending(values)) ?? 0)));
  const weighed = [...told.values()].flatMap((values) => values.map((value) => ({ value, share: 1 / values.length })));
  weighed.sort((a, b) => a.value - b.value || a.share - b.share);
  // Sums of shares are not exact.
  let left = (joinPercents[statistic] / 100) * told.size - 1e-6;
  for (const { value, share } of weighed) {
    left -= share;
    if (left <= 0) return value;
  }
  return weighed.at(-1)?.value;
}

function reasonOf(
  { label, worst: measured, limit, unit, worstProbe = '', passed }: ThresholdResult,
  participants: number,
): Reason[] {
  if (measured === null || passed) return [];
  const of = plural(participants, 'participant');
  const text = `${label} is ${numberNear(measured, limit)}${unitAfter(unit)} over ${of} (limit ${limit}${unitAfter(unit)}); the worst is of ${worstProbe}.`;
  return [{ code: 'threshold', text, measured, limit, unit }];
}

function untold(what: string): Reason {
  return { code: 'samples-missing', text: `${what}: a limit on it says nothing.` };
}
