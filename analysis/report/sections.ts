import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { nearestLimit, spreadOf, starvingProbes, type WorstThreshold, worstThresholds } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { countedText, quantity, worstText } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';
import { left, right, wrap } from './layout.js';
import type { TextStyle } from './style.js';

const mostStarvingNamed = 4;

export function limitSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  if (trials.length === 0) return [];
  const thresholds = worstThresholds(trials);
  const nearest = nearestLimit(thresholds);
  return [
    sectionHead(run, size, trials, style),
    ...thresholds.flatMap((threshold) => thresholdRows(threshold, threshold === nearest, style)),
  ];
}

export function failureSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const trials = trialsAt(run.records, size);
  const unstable = trials.filter((trial) => trial.verdict.kind === 'unstable');
  if (unstable.length === 0) return [];
  const failed = worstThresholds(unstable).filter((threshold) => !threshold.passed);
  const starving = starvingProbes(unstable);
  const rest = starving.length - mostStarvingNamed;
  return [
    sectionHead(run, size, trials, style),
    ...failed.flatMap((threshold) => thresholdRows(threshold, false, style)),
    ...starving.slice(0, mostStarvingNamed).flatMap((reason) => wrap(reason.text, 6, 80, 2)),
    ...(rest > 0 ? [`      and ${plural(rest, 'other probe')} like these.`] : []),
  ];
}

function sectionHead(run: FinishedRun, size: number, trials: readonly TrialRecord[], style: TextStyle): string {
  const title = left(`  At ${countOf(run, size)}, ${plural(trials.length, 'trial')}`, 44);
  return `${style.bold(title)}${style.dim(`${left('limit', 11)}worst`)}`;
}

/** The threshold, and below it what of its value was its link's. */
function thresholdRows(threshold: WorstThreshold, isNearest: boolean, style: TextStyle): string[] {
  const counted = countedText(threshold);
  const row = thresholdRow(threshold, isNearest, style);
  return counted === undefined ? [row] : [row, ...wrap(counted, 8, 80, 0).map((line) => style.dim(line))];
}

function thresholdRow(threshold: WorstThreshold, isNearest: boolean, style: TextStyle): string {
  const { worstProbe } = threshold;
  const measured = worstText(threshold);
  const at = worstProbe === undefined ? '' : ` at ${worstProbe}`;
  const mark = threshold.passed ? style.good('✓') : style.bad('✗');
  const row = `${left(threshold.label, 38)}${left(threshold.limitText, 11)}${left(measured + at, 25)}`.trimEnd();
  return `    ${mark} ${isNearest ? style.bold(row) : row}`;
}

/** "nearest limit: video loss, 0.7 % of 1 %". */
export function marginLines(run: FinishedRun, size: number): string[] {
  const nearest = nearestLimit(worstThresholds(trialsAt(run.records, size)));
  if (!nearest || nearest.worst === null) return [];
  const used = numberNear(nearest.usedPercent ?? 0);
  const measured = quantity(nearest.worst, nearest.unit, nearest.limit);
  return wrap(
    `Nearest limit: ${nearest.label}, ${measured} where ${nearest.limitText} is asked (${used} % of the way).`,
    4,
    80,
    2,
  );
}

export function spreadSection(run: FinishedRun, size: number, style: TextStyle): string[] {
  const rows = spreadOf(trialsAt(run.records, size));
  const streams = Math.max(0, ...rows.map((row) => row.streams));
  if (rows.length === 0) return [];
  const head = ['min', 'p10', 'p50', 'p90', 'max'].map((name) => right(name, 9)).join('');
  return [
    `${style.bold(left(`  Spread of ${plural(streams, 'stream')}`, 28))}${style.dim(head)}`,
    ...rows.map((row) => {
      const label = left(`    ${row.label}${row.unit === '' ? '' : `, ${row.unit}`}`, 28);
      return label + row.values.map((value) => right(numberNear(value), 9)).join('');
    }),
  ];
}
