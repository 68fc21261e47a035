import { stepWords } from '../../analysis/arrivals/arrivals-summary.js';
import { meanOf } from '../../analysis/arrivals/time-histogram.js';
import { arrivalsSentences } from '../../analysis/report/arrivals-section.js';
import { countOf } from '../../analysis/report/headline.js';
import { figureText } from '../../analysis/report/layout.js';
import { highest, sum } from '../../analysis/statistics/statistics.js';
import { numberNear } from '../../analysis/wording/wording.js';
import { type ArrivalSecond, type ArrivalsRecord, heatLimitsMs, joinSteps } from '../../model/arrivals.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { html, type Markup, nothing } from '../html.js';

type Arrived = TrialRecord & { readonly arrivals: ArrivalsRecord };

/** More columns than this would be too narrow to see. */
const mostColumns = 60;

/** How arrivals fared: where time went at each size, and at the edge who joined how quickly, second by second. */
export function arrivalsSection(run: FinishedRun): Markup {
  const arriving = run.records.filter((record): record is Arrived => record.arrivals !== undefined);
  if (arriving.length === 0) return nothing;
  const edge = [
    arriving.findLast(({ verdict }) => verdict.kind === 'stable'),
    arriving.findLast(({ verdict }) => verdict.kind === 'unstable'),
  ].flatMap((record) => record ?? []);
  return html`<section aria-labelledby="h-arrivals" class="arrivals"><h2 id="h-arrivals">Who came</h2>
<p class="note">Times are counted from when each participant was due. One that was not answered counts with the time that was waited for it.</p>
${stacked(run, arriving)}
${[...new Set(edge.map(({ size }) => size))].map((size) => html`<h3>At ${countOf(run, size)}</h3><ul>${arrivalsSentences(run, size).map((text) => html`<li>${text}</li>`)}</ul>`)}
${edge.map((record) => trialFigures(run, record))}</section>`;
}

/** The mean of each step, one upon the other, a bar for each trial. */
function stacked(run: FinishedRun, arriving: readonly Arrived[]): Markup {
  const present = joinSteps.filter((step) => arriving.some(({ arrivals }) => arrivals.steps[step]));
  const rows = arriving.map((record) => ({
    record,
    steps: present.map((step) => ({ step, ms: meanOf(record.arrivals.steps[step]) })),
  }));
  const most = highest(rows.map(({ steps }) => sum(steps.map(({ ms = 0 }) => ms)))) ?? 0;
  const bar = ({ record, steps }: (typeof rows)[number]) => html`<tr><th scope="row">${record.index}</th>
<td>${countOf(run, record.size)}</td><td class="steps"><span class="stack" aria-hidden="true">${steps.map(
    ({ step, ms = 0 }) => html`<i class="step-${step}" style="width:${share(ms, most)}%"></i>`,
  )}</span></td>${steps.map(({ ms }) => html`<td>${figureText(ms)}</td>`)}</tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Mean time of each step by trial"><table>
<thead><tr><th scope="col">trial</th><th scope="col">size</th><th scope="col">mean of each step</th>
${present.map((step) => html`<th scope="col"><i class="swatch step-${step}"></i> ${stepWords[step]}, ms</th>`)}</tr></thead>
<tbody>${rows.map(bar)}</tbody></table></div>`;
}

function share(value: number, most: number): number {
  return most === 0 ? 0 : Math.round((10_000 * value) / most) / 100;
}

function trialFigures(run: FinishedRun, record: Arrived): Markup {
  const { seconds } = record.arrivals;
  const name = `Trial ${record.index}, ${countOf(run, record.size)}, ${record.verdict.kind}`;
  return html`<figure><figcaption>${name}: how long joins took, by when they were due</figcaption>${heatMap(name, seconds)}</figure>
<details><summary>${name}: second by second</summary><div class="scroll" tabindex="0" role="region" aria-label="${name}, second by second">
<table><thead><tr>${['second', ...counted].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${seconds.map(
    (second, index) =>
      html`<tr><th scope="row">${index + 1}</th>${counted.map((what) => html`<td>${second[what]}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

const counted = ['due', 'begun', 'answered', 'refused', 'stalled', 'failed'] as const;

/** Time runs to the right, how long a join took upwards; the darker, the more of those who were due then. */
function heatMap(name: string, seconds: readonly ArrivalSecond[]): Markup {
  const width = Math.max(1, Math.ceil(seconds.length / mostColumns));
  const columns = Array.from({ length: Math.ceil(seconds.length / width) }, (_, column) =>
    seconds.slice(column * width, (column + 1) * width),
  ).map((span) => heatRows.map((row) => sum(span.map(({ heat }) => heat[row] ?? 0))));
  const totals = columns.map((column) => sum(column));
  const slow = sum(columns.map((column) => column.at(-1) ?? 0));
  const summary = `${name}: ${slow} of ${sum(totals)} joins took longer than ${numberNear(heatLimitsMs.at(-1) ?? 0)} ms or were not answered`;
  const row = (at: number) =>
    html`<span class="heat-row"><span class="tick">${rowText(at)}</span>${columns.map((column, index) => {
      const count = column[at] ?? 0;
      const opacity = totals[index] ? Math.round((100 * count) / totals[index]) / 100 : 0;
      return html`<i title="second ${index * width + 1}: ${count} ${rowText(at)}" style="opacity:${count > 0 ? Math.max(0.12, opacity) : 0}"></i>`;
    })}</span>`;
  return html`<div class="heat" role="img" aria-label="${summary}">${[...heatRows].reverse().map(row)}</div>`;
}

const heatRows = [...heatLimitsMs, 0].map((_, row) => row);

function rowText(row: number): string {
  const limit = heatLimitsMs[row];
  return limit === undefined ? 'longer or never' : `≤ ${limit} ms`;
}
