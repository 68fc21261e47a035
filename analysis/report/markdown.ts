import type { FinishedRun, Requirement } from '../../model/finished-run.js';
import { namesNoLimit } from '../../model/run.js';
import { nearestLimit, starvingProbes, type WorstThreshold } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { probesAt } from '../search/result.js';
import { worstText } from '../wording/quantity.js';
import { capital, plural } from '../wording/wording.js';
import { type SizeOutcome, sizeOutcomes } from './document.js';
import { headline, intervalText, isInterval, serverName, unitOf, worstCaseText } from './headline.js';
import { cell, table } from './markdown-table.js';
import { nextSteps } from './next-steps.js';
import { patternSentences } from './pattern-sentences.js';
import { repeatSentence } from './repeats-section.js';
import { ranOutSentences } from './server-sentences.js';
import { failedSizes } from './shown-sizes.js';
import { trustSentences } from './trust-section.js';

/** A report for a pull request: the answer, "Scenario | Size", what each size came to, and how far to trust it. */
export function markdown(run: FinishedRun, required?: Requirement): string {
  const repeats = repeatSentence(run);
  return [
    ...(required ? [`**${{ yes: '✓', no: '✗', unknown: '?' }[required.answer]} ${cell(required.text)}**`, ''] : []),
    `**${cell(headline(run))}**${repeats === '' ? '' : ` ${cell(repeats)}`}`,
    '',
    ...scenarioTable([run]),
    '',
    ...sizesTable(run),
    '',
    ...[...ranOutSentences(run, failedSizes(run)), ...patternSentences(run)].map((text) => `- ${cell(text)}`),
    ...nextSteps(run).flatMap(({ text, command }) => [
      `- ${cell(text)}`,
      ...(command === undefined ? [] : ['', `      ${command}`, '']),
    ]),
    '',
    '<details><summary>How far to trust this</summary>',
    '',
    ...trustSentences(run).map((text) => `- ${cell(text)}`),
    '',
    '</details>',
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}

function scenarioTable(runs: readonly FinishedRun[]): string[] {
  return table(
    ['Scenario', 'Size', 'Probes', 'Server', 'First unstable', 'Stable in'],
    runs.map((run) => {
      const { answer, manifest, records } = run;
      const tally = sizeOutcomes(run).find(({ size }) => size === answer.stable);
      const confirmed = tally ? `${tally.stable} of ${plural(tally.judged, 'trial')}` : '–';
      const size = `${sizeText(run)} ${answer.stable === 1 ? unitOf(run).one : unitOf(run).many}`;
      const above = answer.unstable === null ? '–' : String(answer.unstable);
      return [
        manifest.plan.scenario,
        size,
        String(probesAt(records, answer.stable)),
        serverName(run),
        above,
        confirmed,
      ];
    }),
  );
}

/** "52", "≥ 52" where nothing larger failed, "?" where nothing can be said. */
export function sizeText(run: FinishedRun): string {
  const { outcome, stable, unstable } = run.answer;
  if (namesNoLimit(outcome)) return '?';
  if (outcome === 'probe-limited' || outcome === 'reached-max' || (outcome === 'found' && unstable === null))
    return `≥ ${stable}`;
  return isInterval(run) ? intervalText(run.answer) : String(stable);
}

function sizesTable(run: FinishedRun): string[] {
  return table(
    [unitOf(run).many, 'Verdict', 'Stable in', 'Nearest limit, or what failed'].map(capital),
    sizeOutcomes(run).map((outcome) => [
      String(outcome.size),
      verdictText(outcome),
      outcome.judged === 0 ? '–' : `${outcome.stable} of ${outcome.judged}${worstCaseText(outcome)}`,
      sizeDetail(run, outcome),
    ]),
  );
}

function verdictText({ stable, judged, discarded, screened, disturbed }: SizeOutcome): string {
  const steered = screened || disturbed;
  const unjudged = steered ? '✓ stable, which confirms nothing' : '? void';
  const verdict = judged === 0 ? unjudged : stable === judged ? '✓ stable' : stable === 0 ? '✗ unstable' : '± flaky';
  return (judged > 0 || steered) && discarded > 0 ? `${verdict} (${discarded} void)` : verdict;
}

function sizeDetail(run: FinishedRun, { size, stable, judged, thresholds }: SizeOutcome): string {
  if (judged === 0) return run.records.find((record) => record.size === size)?.verdict.reasons[0]?.text ?? '';
  if (stable === judged) {
    const nearest = nearestLimit(thresholds);
    return nearest ? thresholdText(nearest) : '';
  }
  const failed = thresholds.filter(({ passed }) => !passed);
  const [first] = starvingProbes(trialsAt(run.records, size));
  return failed.length === 0 ? (first?.text ?? '') : failed.map(thresholdText).join('; ');
}

function thresholdText(threshold: WorstThreshold): string {
  return `${threshold.label} ${worstText(threshold)} (${threshold.limitText})`;
}
