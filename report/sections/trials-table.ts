import { unitOf } from '../../analysis/report/headline.js';
import { shortReasons, worstOf } from '../../analysis/report/trial-line.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { numberNear } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { html, type Markup, nothing } from '../html.js';
import { term, trialHeads } from './definitions.js';

const signs = { stable: '✓', unstable: '✗', void: '?' } as const;

/** Every trial in one line; its number shows it below. The table behind the staircase. */
export function trialsTable(run: FinishedRun): Markup {
  const withDelay = hasDelay(run);
  if (run.records.length === 0) return nothing;
  const heads = [
    'trial',
    unitOf(run).many,
    'why',
    'verdict',
    'up',
    'fps',
    'frozen',
    'loss',
    'rtt',
    ...(withDelay ? ['delay'] : []),
    'server',
    'host',
    'took',
  ];
  return html`<section aria-labelledby="h-all-trials"><h2 id="h-all-trials">All trials</h2>
<p class="note">Figures are those of the worst stream. Choose a trial to see its curves and probes.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of all trials"><table class="trials">
<thead><tr>${heads.map((head) => html`<th scope="col">${term(head, trialHeads[head] ?? '')}</th>`)}</tr></thead><tbody>${run.records.map((record) => row(record, withDelay))}</tbody></table></div></section>`;
}

/** Where senders mark when their pictures were taken. */
const hasDelay = ({ records }: FinishedRun): boolean =>
  records.some((record) => worstOf(record).delayP95Ms !== undefined);

function row(record: TrialRecord, withDelay: boolean): Markup {
  const { index, size, why, verdict, probesUp, probesAsked, load, startedAtMs, endedAtMs, endedEarly, screened } =
    record;
  const worst = worstOf(record);
  const cell = (value: number | undefined, unit: string) => (value === undefined ? '–' : `${numberNear(value)}${unit}`);
  const reasons = shortReasons(record);
  return html`<tr class="${verdict.kind}"><th scope="row"><a href="#trial" data-trial="${index}" title="Show trial ${index}">${index}</a></th>
<td>${size}</td><td>${why}</td><td class="verdict"><b>${signs[verdict.kind]} ${verdict.kind}</b>${reasons === '' ? nothing : html` <span>${reasons}</span>`}${endedEarly ? html` <span>ended early</span>` : nothing}${screened ? html` <span>screened</span>` : nothing}${verdict.disturbedBy ? html` <span title="${verdict.disturbedBy[0]?.text ?? ''}">disturbed</span>` : nothing}</td>
<td>${probesUp} of ${probesAsked}</td><td>${cell(worst.fps, '')}</td><td>${cell(worst.frozenPercent, ' %')}</td>
<td>${cell(worst.lossPercent, ' %')}</td><td>${cell(worst.rttMs, ' ms')}</td>${withDelay ? html`<td>${cell(worst.delayP95Ms, ' ms')}</td>` : nothing}<td>${cell(load.serverCoresMean, ' c')}</td>
<td>${cell(load.probeHostBusyPercentMean, ' %')}</td><td>${durationText(endedAtMs - startedAtMs)}</td></tr>`;
}
