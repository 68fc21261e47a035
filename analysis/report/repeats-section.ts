import type { FinishedRun } from '../../model/finished-run.js';
import type { Answer } from '../../model/run.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { TrialRecord } from '../../model/trial.js';
import type { ThresholdResult } from '../../model/verdict.js';
import { shownThresholds, type Tally, talliesOf } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { median } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { triedTrial, worstCaseText } from './headline.js';
import { left, right, type TextStyle } from './layout.js';

/** "18 stable in 3 of 3 trials, 20 in 2 of 5, 22 in none of 2.": the sizes that the answer rests on; may be empty. */
export function repeatSentence(run: FinishedRun): string {
  if (triedTrial(run)) return '';
  const { stable, unstable, flaky, failedBelow = [] } = run.answer;
  const sizes = new Set([stable, ...flaky, ...failedBelow, ...(unstable === null ? [] : [unstable])]);
  const tallies = talliesOf(run.records).filter(({ size, judged }) => sizes.has(size) && judged > 0);
  if (tallies.length === 0 || tallies.every((tally) => tally.stable === 0)) return '';
  return `${tallies.map(howOften).join(', ')}.${edgeText(run.answer)}`;
}

function edgeText({ edge }: Answer): string {
  if (!edge) return '';
  const { alwaysUpTo, between, neverFrom } = edge;
  const always = alwaysUpTo === undefined ? '' : `Every trial up to ${alwaysUpTo} was stable, `;
  const never = neverFrom === undefined ? '' : `, none from ${neverFrom} on`;
  const { passed, of, from, upTo } = between;
  return ` ${always}${passed} of ${of} from ${from} to ${upTo}${alwaysUpTo === undefined ? ' were stable' : ''}${never}.`;
}

function howOften(tally: Tally, index: number): string {
  const { size, stable, judged } = tally;
  if (stable === 0) return `${size} in none of ${judged}`;
  const often =
    index === 0 ? `${size} stable in ${stable} of ${plural(judged, 'trial')}` : `${size} in ${stable} of ${judged}`;
  return `${often}${worstCaseText(tally)}`;
}

/** How the trials of one size differ from one another: each threshold's worst value, trial by trial. */
export function betweenTrialsSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  if (trials.length < 2) return [];
  const thresholds = new Map(
    trials.flatMap(({ verdict }) => verdict.thresholds.map((one) => [thresholdKey(one.id), one] as const)),
  );
  const head = ['lowest', 'middle', 'highest'].map((name) => right(name, 10)).join('');
  return [
    `${style.bold(left(`  Between the ${trials.length} trials, their worst`, 44))}${style.dim(head)}`,
    ...[...thresholds.values()].flatMap((threshold) => betweenRow(trials, threshold)),
  ];
}

function betweenRow(trials: readonly TrialRecord[], { id, label, unit }: ThresholdResult): string[] {
  const key = thresholdKey(id);
  const rows = trials.flatMap((trial) => shownThresholds(trial).filter((one) => thresholdKey(one.id) === key));
  const values = rows.flatMap(({ worst }) => worst ?? []);
  const middle = median(values);
  if (middle === undefined) return [];
  // What one of them does not say may be the worst of all.
  const isKnown = rows.every(({ worst, upTo }) => worst !== null && upTo === undefined);
  const row = [Math.min(...values), middle, Math.max(...values)].map((value) =>
    right(isKnown ? numberNear(value) : '–', 10),
  );
  return [`${left(`    ${label}${unit === '' || label.endsWith(unit) ? '' : `, ${unit}`}`, 44)}${row.join('')}`];
}
