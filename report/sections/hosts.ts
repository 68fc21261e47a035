import { type HostAccount, hostAccounts } from '../../analysis/report/host-accounts.js';
import { hostSentences } from '../../analysis/report/host-sentences.js';
import { figureText } from '../../analysis/report/layout.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { html, type Markup, nothing } from '../html.js';

interface Column {
  readonly head: string;
  readonly value: (account: HostAccount) => number | undefined;
}

/** What matters most first: the table may be wider than the page. */
const columns: readonly Column[] = [
  { head: 'trials', value: ({ trials }) => trials },
  { head: 'of them void because of it', value: ({ voidTrials }) => voidTrials.length },
  { head: 'cores', value: ({ cores }) => cores },
  { head: 'probes, most', value: ({ probesMost }) => probesMost },
  { head: 'calibrated to carry', value: ({ carries }) => carries },
  { head: 'CPU, %', value: ({ busyPercentMean }) => busyPercentMean },
  { head: 'worst second, %', value: ({ busyPercentMax }) => busyPercentMax },
  { head: 'probes, cores', value: ({ probeCoresMean }) => probeCoresMean },
  { head: 'steal, %', value: ({ stolenPercentMean }) => stolenPercentMean },
  { head: 'held back by a quota, %', value: ({ throttledPercentMean }) => throttledPercentMean },
  { head: 'memory left, MB', value: ({ memoryMbMin }) => memoryMbMin },
  { head: 'link, Mbit/s', value: ({ linkMbpsMean }) => linkMbpsMean },
  { head: 'link, worst second, %', value: ({ linkPercentMax }) => linkPercentMax },
  { head: 'pages late, ms', value: ({ lateMsMax }) => lateMsMax },
  { head: 'pace began late, ms', value: ({ beganLateMsMax }) => beganLateMsMax },
  { head: 'starts late', value: ({ lateStarts }) => lateStarts },
  { head: 'samples missing', value: ({ samplesExpected, samplesGot }) => Math.max(0, samplesExpected - samplesGot) },
  { head: 'let go of', value: ({ samplesDropped }) => samplesDropped },
  { head: 'clock ahead, ms', value: ({ clock }) => clock && 0 - clock.offsetMs },
  { head: 'within, ms', value: ({ clock }) => clock?.boundMs },
  { head: 'drift, ppm', value: ({ clock }) => clock?.drift?.ppm },
];

/** The machines that played the probes, one in a row; nothing where that was the conductor's own alone. */
export function hostsSection(run: FinishedRun): Markup {
  const accounts = hostAccounts(run.records);
  if (accounts.length === 0) return nothing;
  const known = columns.filter(({ value }) => accounts.some((account) => value(account) !== undefined));
  const placed = accounts.some(({ place }) => place !== undefined);
  return html`<section aria-labelledby="h-hosts"><h2 id="h-hosts">Probe hosts</h2>
<p class="note">Each figure is the highest of all trials, of memory the lowest; a dash is not known, and what is known of none is left out. Their curves are with each trial.</p>
<ul>${hostSentences(run).map((text) => html`<li>${text}</li>`)}</ul>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the probe hosts"><table class="hosts"><thead><tr><th scope="col">host</th>${placed ? html`<th scope="col" class="place">place</th>` : nothing}${known.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${accounts.map((account) => row(account, known, placed))}</tbody></table></div></section>`;
}

function row(account: HostAccount, columns: readonly Column[], placed: boolean): Markup {
  const { host, place = '–' } = account;
  const cells = columns.map(({ value }) => value(account));
  return html`<tr><th scope="row">${host}</th>${placed ? html`<td class="place">${place}</td>` : nothing}${cells.map((cell) => html`<td>${figureText(cell)}</td>`)}</tr>
`;
}
