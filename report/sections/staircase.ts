import { countOf, unitOf } from '../../analysis/report/headline.js';
import { numberNear } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { html, type Markup, nothing } from '../html.js';
import { axisTo, type Line, plot, thinned } from '../plot.js';

/** The trials from left to right, and how they close in on the limit. */
export function staircase(run: FinishedRun): Markup {
  const { records } = run;
  if (records.length === 0) return nothing;
  const most = Math.max(...records.map(({ size }) => size));
  const top = Math.max(most * 1.12, 2);
  return html`<section aria-labelledby="h-staircase" class="staircase"><h2 id="h-staircase">Trials</h2>
${plot({
  title: 'Staircase of trials',
  summary: `${records.length} trials, sizes ${records.map(({ size, verdict }) => `${size} ${verdict.kind}`).join(', ')}`,
  x: {
    from: 0.5,
    to: records.length + 0.5,
    ticks: thinned(
      records.map(({ index }) => ({ at: index, text: String(index) })),
      20,
    ),
    label: 'trial',
  },
  y: axisTo(top, unitOf(run).many, numberNear),
  lines: bracketLines(records, top),
  marks: records.map((record) => ({
    x: record.index,
    y: record.size,
    look: record.verdict.kind,
    text: `trial ${record.index}: ${countOf(run, record.size)}, ${record.verdict.kind}`,
  })),
  heightRem: 16,
})}
<p class="key"><b class="mark stable"></b> stable <b class="mark unstable"></b> unstable <b class="mark void"></b> void, says nothing
<i class="swatch"></i> where the limit may lie</p></section>`;
}

/**
 * What was known after each trial: the largest pass and the smallest failure, between which the limit lies whichever of
 * them is larger; void trials teach nothing.
 */
function bracketLines(records: readonly TrialRecord[], top: number): Line[] {
  let low = 0;
  let high = top;
  const lower: [number, number][] = [];
  const upper: [number, number][] = [];
  for (const { index, size, verdict } of records) {
    lower.push([index - 0.5, Math.min(low, high)]);
    upper.push([index - 0.5, Math.max(low, high)]);
    if (verdict.kind === 'unstable') high = Math.min(high, size);
    if (verdict.kind === 'stable') low = Math.max(low, size);
    lower.push([index - 0.5 + 1e-6, Math.min(low, high)], [index + 0.5, Math.min(low, high)]);
    upper.push([index - 0.5 + 1e-6, Math.max(low, high)], [index + 0.5, Math.max(low, high)]);
  }
  return [
    { look: 'fill', points: [...lower, ...upper.reverse()] },
    { look: 'way', points: records.map(({ index, size }) => [index, size] as const) },
  ];
}
