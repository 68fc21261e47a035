import type { Answer, ResultLimit } from '../../model/run.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { isStableKnown } from '../search/result.js';
import { left, right } from './layout.js';

export interface Rejudged {
  readonly runDirectory: string;
  readonly unit: ScenarioUnit;
  readonly trials: readonly { readonly record: TrialRecord; readonly verdict: Verdict }[];
  /** What the run itself answered; absent when it did not come to its end. */
  readonly before: Pick<ResultLimit, 'stable' | 'unstable'> | undefined;
  readonly answer: Answer;
  /** The limits that were asked for; empty: those of the run. */
  readonly by: string;
}

/** The document of `loadline judge --format json`. */
export function rejudgedDocument({ runDirectory, trials, before, answer }: Rejudged): object {
  const rows = trials.map(({ record, verdict }) => ({
    trial: record.index,
    size: record.size,
    before: record.verdict.kind,
    after: verdict.kind,
    changed: record.verdict.kind !== verdict.kind,
    same: JSON.stringify(record.verdict) === JSON.stringify(verdict),
    reasons: verdict.reasons,
    ...(verdict.disturbedBy ? { disturbedBy: verdict.disturbedBy } : {}),
    thresholds: verdict.thresholds,
  }));
  const { flaky, outcome, because } = answer;
  return {
    runDirectory,
    changed: rows.filter((row) => row.changed).length,
    limitBefore: before ? { stable: before.stable, unstable: before.unstable } : null,
    limit: { ...asKnown(answer), flaky },
    outcome,
    because,
    trials: rows,
  };
}

export function rejudgedText(run: Rejudged): string {
  const { trials, unit, answer, before, runDirectory, by } = run;
  const changed = trials.filter(({ record, verdict }) => record.verdict.kind !== verdict.kind);
  const count = trials.length === 1 ? '1 trial' : `${trials.length} trials`;
  const head = changed.length === 0 ? 'no verdict changes' : `${changed.length} of ${count} get another verdict`;
  return [
    `${runDirectory}, judged again: ${head}.`,
    `Limits: those of the run${by === '' ? '' : `, with ${by}`}.`,
    '',
    `  ${right('trial', 5)} ${right(unit.many, 9)}   ${left('was', 10)}${left('is', 10)}because`,
    ...trials.map(rowText),
    '',
    `  Limit before: ${before ? limitText(before, unit) : 'the run did not come to its end'}`,
    `  Limit now:    ${limitText(asKnown(answer), unit)}${flakyText(answer)}`,
    `  ${answer.because}`,
    '',
  ].join('\n');
}

function rowText({ record, verdict }: Rejudged['trials'][number]): string {
  const changed = record.verdict.kind !== verdict.kind;
  const [first, ...more] = verdict.disturbedBy ?? verdict.reasons;
  const because = first
    ? `${verdict.disturbedBy ? 'Disturbed, confirms nothing: ' : ''}${first.text}${more.length > 0 ? ` And ${more.length} more.` : ''}`
    : '';
  const mark = changed ? '→' : ' ';
  return `${mark} ${right(String(record.index), 5)} ${right(String(record.size), 9)}   ${left(record.verdict.kind, 10)}${left(verdict.kind, 10)}${because}`.trimEnd();
}

const flakyText = ({ flaky }: Answer): string => (flaky.length === 0 ? '' : `, ${flaky.join(', ')} now and then`);

function limitText({ stable, unstable }: Pick<ResultLimit, 'stable' | 'unstable'>, unit: ScenarioUnit): string {
  if (stable === null) return 'nothing is known';
  const above = unstable === null ? 'nothing is known of larger sizes' : `${unstable} unstable`;
  return `${stable} ${stable === 1 ? unit.one : unit.many} stable, ${above}`;
}

function asKnown(answer: Answer): Pick<ResultLimit, 'stable' | 'unstable'> {
  return { stable: isStableKnown(answer) ? answer.stable : null, unstable: answer.unstable };
}
