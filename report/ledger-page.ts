import { hostTypeOf } from '../analysis/compare/host-type.js';
import { answerText, type ListedRun, limitOf, type UnreadableRun } from '../analysis/report/run-list.js';
import { numberNear, plural } from '../analysis/wording/wording.js';
import { groupedBy } from '../model/grouped.js';
import { html, type Markup, nothing, type PageAssets, slug, staticPage } from './html.js';
import { axisTo, type Mark, plot, thinned } from './plot.js';

interface Ledger {
  readonly runs: readonly ListedRun[];
  readonly unreadable: readonly UnreadableRun[];
  /** Where the report of a run lies, from where the page will; none for a run without one. */
  readonly reportOf: (run: ListedRun) => string | undefined;
}

/** Limits over time as a page, for each server, load, scenario and kind of host. */
export function ledgerPage({ runs, unreadable, reportOf }: Ledger, assets: PageAssets): string {
  const groups = groupedBy(runs, ({ manifest }) => {
    const load = `${manifest.unit?.many ?? 'sessions'} of ${manifest.plan.scenario}`;
    return `${productOf(manifest)}: ${load} on ${hostTypeOf(manifest)}`;
  });
  const title = `Limits of ${plural(runs.length, 'run')}`;
  const main = html`<header class="answer"><h1>${title}</h1></header>
${[...groups].map(([name, own]) => groupSection(name, own, reportOf))}
${unreadable.length === 0 ? nothing : html`<section aria-labelledby="h-unreadable"><h2 id="h-unreadable">Could not be read</h2><ul>${unreadable.map(({ name, why }) => html`<li>${name}: ${why}</li>`)}</ul></section>`}`;
  return staticPage(title, main, assets);
}

/** The same in all versions, whose limits are what is compared here. */
function productOf({ server }: ListedRun['manifest']): string {
  return server.name.replace(server.version, '').trim() || server.kind;
}

function groupSection(name: string, runs: readonly ListedRun[], reportOf: Ledger['reportOf']): Markup {
  const id = `h-${slug(name)}`;
  const head = ['started (UTC)', 'server', 'tags', 'answer', 'trials', 'run'];
  return html`<section aria-labelledby="${id}" data-runs><h2 id="${id}">${name}</h2>${limitPlot(name, runs)}
<div class="scroll" tabindex="0" role="region" aria-label="Table of ${name}"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${runs.map((run) => runRow(run, reportOf(run)))}</tbody></table></div></section>`;
}

function runRow(run: ListedRun, report: string | undefined): Markup {
  const { server, tags = [] } = run.manifest;
  const simulated = server.nature === 'simulated' ? html` <span class="note">simulated</span>` : nothing;
  const href = report?.split('/').map(encodeURIComponent).join('/');
  return html`<tr><th scope="row">${minute(run)}</th><td>${server.name}${simulated}</td><td>${tags.join(' ')}</td>
<td data-key="${limitOf(run)?.stable ?? -1}">${answerText(run)}</td><td>${run.trials}</td><td>${href === undefined ? run.name : html`<a href="${href}">${run.name}</a>`}</td></tr>`;
}

function limitPlot(name: string, runs: readonly ListedRun[]): Markup {
  const marks = runs.flatMap((run, nth): Mark[] => {
    const limit = limitOf(run);
    // A limit that may be higher is shown as what says nothing of the top.
    const look = limit?.isAtLeast ? 'void' : 'stable';
    const text = `${minute(run)}: ${answerText(run)}`;
    const failed = run.result?.limit.unstable ?? undefined;
    return limit
      ? [
          { x: nth + 1, y: limit.stable, look, text },
          ...(failed === undefined
            ? []
            : [{ x: nth + 1, y: failed, look: 'unstable', text: `${text}; ${failed} failed` } as const]),
        ]
      : [];
  });
  if (marks.length === 0) return html`<p class="note">No run of these has a limit.</p>`;
  const top = Math.max(2, 1.12 * Math.max(...marks.map(({ y }) => y)));
  const labels = runs.map((run, nth) => ({ at: nth + 1, text: run.manifest.tags?.[0] ?? minute(run).slice(0, 10) }));
  const known = marks.filter(({ look }) => look === 'stable');
  return html`${plot({
    title: `Limits of ${name}`,
    summary: marks.flatMap(({ text, look }) => (look === 'unstable' ? [] : [text])).join(', '),
    x: { from: 0.5, to: runs.length + 0.5, ticks: thinned(labels, 10), label: 'run' },
    y: axisTo(top, runs[0]?.manifest.unit?.many ?? 'sessions', numberNear),
    lines: [{ look: 'curve', points: known.map(({ x, y }) => [x, y] as const) }],
    marks,
    heightRem: 12,
  })}<p class="key"><b class="mark stable"></b> limit <b class="mark void"></b> at least as many <b class="mark unstable"></b> the next size, which failed</p>`;
}

function minute({ manifest }: ListedRun): string {
  return manifest.startedAt.slice(0, 16).replace('T', ' ');
}
