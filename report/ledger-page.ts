import { hostTypeOf } from '../analysis/compare/host-type.js';
import { answerText, type ListedRun, limitOf, type UnreadableRun } from '../analysis/report/run-list.js';
import { numberNear, plural } from '../analysis/wording/wording.js';
import { groupedBy } from '../model/grouped.js';
import { html, type Markup, nothing, slug } from './html.js';
import { axisTo, type Mark, plot, thinned } from './plot.js';
import { type PageAssets, staticPage } from './static-page.js';

/** Limits over time, for each scenario on each kind of host as a page. */
export function ledgerPage(
  runs: readonly ListedRun[],
  unreadable: readonly UnreadableRun[],
  assets: PageAssets,
): string {
  const groups = groupedBy(runs, ({ manifest }) => `${manifest.plan.scenario} on ${hostTypeOf(manifest)}`);
  const title = `Limits of ${plural(runs.length, 'run')}`;
  const main = html`<header class="answer"><h1>${title}</h1></header>
${[...groups].map(([name, own]) => groupSection(name, own))}
${unreadable.length === 0 ? nothing : html`<section aria-labelledby="h-unreadable"><h2 id="h-unreadable">Could not be read</h2><ul>${unreadable.map(({ name, why }) => html`<li>${name}: ${why}</li>`)}</ul></section>`}`;
  return staticPage(title, main, assets);
}

function groupSection(name: string, runs: readonly ListedRun[]): Markup {
  const id = `h-${slug(name)}`;
  const head = ['started (UTC)', 'server', 'tags', 'answer', 'trials', 'run'];
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${limitPlot(name, runs)}
<div class="scroll" tabindex="0" role="region" aria-label="Table of ${name}"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${runs.map((run) => html`<tr><th scope="row">${minute(run)}</th><td>${run.manifest.server.name}</td><td>${(run.manifest.tags ?? []).join(' ')}</td><td>${answerText(run)}</td><td>${run.trials}</td><td>${run.name}</td></tr>`)}</tbody></table></div></section>`;
}

function limitPlot(name: string, runs: readonly ListedRun[]): Markup {
  const marks = runs.flatMap((run, nth): Mark[] => {
    const limit = limitOf(run);
    // A limit that may be higher is shown as what says nothing of the top.
    const look = limit?.isAtLeast ? 'void' : 'stable';
    return limit ? [{ x: nth + 1, y: limit.stable, look, text: `${minute(run)}: ${answerText(run)}` }] : [];
  });
  if (marks.length === 0) return html`<p class="note">No run of these has a limit.</p>`;
  const top = Math.max(2, 1.12 * Math.max(...marks.map(({ y }) => y)));
  const labels = runs.map((run, nth) => ({ at: nth + 1, text: run.manifest.tags?.[0] ?? minute(run).slice(0, 10) }));
  const known = marks.filter(({ look }) => look === 'stable');
  return html`${plot({
    title: `Limits of ${name}`,
    summary: marks.map(({ text }) => text).join(', '),
    x: { from: 0.5, to: runs.length + 0.5, ticks: thinned(labels, 10), label: 'run' },
    y: axisTo(top, runs[0]?.manifest.unit?.many ?? 'sessions', numberNear),
    lines: [{ look: 'curve', points: known.map(({ x, y }) => [x, y] as const) }],
    marks,
    heightRem: 12,
  })}<p class="key"><b class="mark stable"></b> limit <b class="mark void"></b> at least so many</p>`;
}

function minute({ manifest }: ListedRun): string {
  return manifest.startedAt.slice(0, 16).replace('T', ' ');
}
