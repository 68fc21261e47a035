import { namesNoLimit } from '../../model/run.js';
import type { ComparedRun, Comparison } from '../compare/compare.js';
import { groupOf } from '../compare/compared-facts.js';
import { capital } from '../wording/wording.js';
import { intervalText } from './headline.js';
import { left, right, wrap } from './layout.js';
import { table } from './markdown-table.js';

/** Stored runs side by side, for a person; what differs is listed, what does not is named. */
export function comparisonText({ runs, facts, conclusions }: Comparison): string {
  const different = facts.filter(({ same }) => !same);
  const width = Math.min(40, Math.max(...different.map(({ label }) => label.length), 10));
  return [
    '',
    ...runs.map((run, index) => `  ${right(String.fromCharCode(65 + (index % 26)), 2)}  ${limitText(run)}`),
    '',
    ...runs.map((run, index) => `  ${right(String.fromCharCode(65 + (index % 26)), 2)}  ${run.name}`),
    '',
    ...conclusions.flatMap((sentence) => wrap(sentence, 2, 80, 2)),
    ...(conclusions.length === 0 ? [] : ['']),
    different.length === 0 ? '  Nothing that was written down differs.' : '  Different between the runs',
    ...different.map(({ label, values }) => `    ${left(label, width)}  ${values.join('  |  ')}`),
    '',
    ...wrap(`The same: ${sameLabels(facts).join(', ')}.`, 2, 80, 2),
    '',
  ].join('\n');
}

export function comparisonMarkdown({ runs, facts, conclusions }: Comparison): string {
  const different = facts.filter(({ same }) => !same);
  return [
    ...table(
      ['Run', 'Scenario', 'Server', 'Size', 'First unstable', 'Probes'],
      runs.map((run) => [
        run.name,
        run.scenario,
        run.server,
        sizeOf(run),
        run.unstable === null ? '–' : String(run.unstable),
        String(run.probesAtLimit),
      ]),
    ),
    '',
    ...conclusions.map((sentence) => `- ${sentence}`),
    '',
    ...(different.length === 0
      ? []
      : table(
          ['Different', ...runs.map(({ name }) => name)],
          different.map(({ label, values }) => [label, ...values]),
        )),
    '',
  ].join('\n');
}

function limitText(run: ComparedRun): string {
  const flaky = run.flaky.length === 0 ? '' : `, flaky at ${run.flaky.join(', ')}`;
  const size = `${right(sizeOf(run), 8)} ${left(run.unit, 9)}`;
  return `${size}${left(run.unstable === null ? '' : `(${run.unstable} unstable${flaky})`, 28)} ${run.scenario} on ${run.server}`;
}

/** Two runs of one plan, each with its limit, and what may be said of the two. */
export function comparedSentence({ runs, conclusions }: Comparison): string {
  const [before, own] = runs.map(
    (run) => `${sizeOf(run)} ${run.unit}${run.unstable === null ? '' : ` (${run.unstable} unstable)`}`,
  );
  return `It held ${before}, this run ${own}. ${conclusions.map(capital).join(' ')}`;
}

function sizeOf({ outcome, stable, unstable, cutShort, undecided }: ComparedRun): string {
  if (namesNoLimit(outcome)) return '?';
  if (outcome === 'probe-limited' || outcome === 'reached-max' || (outcome === 'found' && unstable === null))
    return `≥ ${stable}`;
  return cutShort || undecided ? intervalText({ stable, unstable }) : String(stable);
}

function sameLabels(facts: Comparison['facts']): string[] {
  const different = new Set(facts.filter(({ same }) => !same).map(({ label }) => groupOf(label)));
  return [...new Set(facts.map(({ label }) => groupOf(label)))].filter((group) => !different.has(group));
}
