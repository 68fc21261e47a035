import { type HostAccount, hostAccounts } from '../../analysis/report/host-accounts.js';
import { hostSentences } from '../../analysis/report/host-sentences.js';
import type { FinishedRun } from '../../analysis/search/result.js';
import { numberNear } from '../../analysis/wording/wording.js';
import { html, type Markup, nothing } from '../html.js';

interface Column {
  readonly head: string;
  readonly value: (account: HostAccount) => number | undefined;
}

const columns: readonly Column[] = [
  { head: 'cores', value: ({ cores }) => cores },
  { head: 'probes, most', value: ({ probesMost }) => probesMost },
  { head: 'calibrated to carry', value: ({ carries }) => carries },
  { head: 'CPU, %', value: ({ busyPercentMean }) => busyPercentMean },
  { head: 'worst second, %', value: ({ busyPercentMax }) => busyPercentMax },
  { head: 'browsers, cores', value: ({ probeCoresMean }) => probeCoresMean },
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
  return html`<section aria-labelledby="h-hosts"><h2 id="h-hosts">Probe hosts</h2>
<p class="note">Each figure is the highest of all trials, of memory the lowest; a dash is not known. Their curves are with each trial.</p>
<ul>${hostSentences(run).map((text) => html`<li>${text}</li>`)}</ul>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the probe hosts"><table class="trials"><thead><tr><th scope="col">host</th><th scope="col">place</th>${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}<th scope="col">trials</th><th scope="col">of them void because of it</th></tr></thead>
<tbody>${accounts.map(row)}</tbody></table></div></section>`;
}

function row(account: HostAccount): Markup {
  const { host, place = '–', trials, voidTrials } = account;
  const cells = columns.map(({ value }) => value(account));
  return html`<tr><th scope="row">${host}</th><td>${place}</td>${cells.map((cell) => html`<td>${cell === undefined ? '–' : numberNear(cell)}</td>`)}<td>${trials}</td><td>${voidTrials.length}</td></tr>
`;
}
