import { starvingProbes, type WorstThreshold, worstThresholds } from '../../analysis/judge/summary.js';
import { trialsAt } from '../../analysis/measure/trials-at.js';
import { countOf } from '../../analysis/report/headline.js';
import { sizesTold } from '../../analysis/report/shown-sizes.js';
import { countedText, worstText } from '../../analysis/wording/quantity.js';
import { numberNear, plural } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { html, type Markup, nothing } from '../html.js';
import { thresholdTerm } from './definitions.js';

const mostReasons = 6;

/** Each limit at its worst probe, at the size that held and at those that did not. */
export function thresholdsSection(run: FinishedRun): Markup {
  const tables = sizesTold(run).map((size) => sizeTable(run, size));
  if (tables.length === 0) return nothing;
  return html`<section aria-labelledby="h-limits"><h2 id="h-limits">Limits</h2>
<p class="note">Each limit at its worst probe and trial. The bar shows how much of the way from the best there is to the limit was used.</p>
<div class="columns">${tables}</div></section>`;
}

function sizeTable(run: FinishedRun, size: number): Markup {
  const trials = trialsAt(run.records, size);
  if (trials.length === 0) return nothing;
  const reasons = starvingProbes(trials);
  const rest = reasons.length - mostReasons;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Limits at ${countOf(run, size)}"><table class="limits">
<caption>At ${countOf(run, size)}, ${plural(trials.length, 'trial')}</caption>
<thead><tr><th scope="col"><span class="sr">passed</span></th><th scope="col">limit</th><th scope="col">asked</th><th scope="col">worst</th><th scope="col">used</th></tr></thead>
<tbody>${worstThresholds(trials).map(row)}</tbody></table>
${reasons.length === 0 ? nothing : html`<ul class="reasons">${reasons.slice(0, mostReasons).map(({ text }) => html`<li>${text}</li>`)}${rest > 0 ? html`<li>and ${plural(rest, 'other probe')} like these</li>` : nothing}</ul>`}</div>`;
}

/** Whole, with decimals where it would read like all of the way and is not. */
function usedText(percent: number): string {
  return Math.round(percent) === 100 ? numberNear(percent, 100) : String(Math.round(percent));
}

function row(threshold: WorstThreshold): Markup {
  const { id, label, limitText, worstProbe, passed, usedPercent } = threshold;
  const measured = worstText(threshold);
  const width = Math.min(100, Math.max(0, usedPercent ?? (passed ? 0 : 100)));
  const used = usedPercent === undefined ? '' : usedPercent > 999 ? '> 999 %' : `${usedText(usedPercent)} %`;
  const counted = countedText(threshold);
  return html`<tr class="${passed ? 'passed' : 'failed'}"><td>${passed ? html`<span aria-label="passed">✓</span>` : html`<span aria-label="failed">✗</span>`}</td>
<th scope="row">${thresholdTerm(label, id)}</th><td class="asked">${limitText}</td>
<td>${measured}${worstProbe === undefined ? nothing : html` <span class="at">at ${worstProbe}</span>`}${counted === undefined ? nothing : html`<br><span class="at">${counted}</span>`}</td>
<td class="used"><i class="bar" aria-hidden="true"><i style="width:${width.toFixed(1)}%"></i></i> ${used}</td></tr>`;
}
