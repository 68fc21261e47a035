import { shellLine } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { html, type Markup } from '../html.js';

type Fact = readonly [name: string, value: string];

/** Where it was measured, and the whole plan: enough to repeat it. */
export function environmentSection(run: FinishedRun): Markup {
  const { manifest, runDirectory } = run;
  return html`<section aria-labelledby="h-environment"><h2 id="h-environment">Environment and plan</h2>
<p>Repeat it with <code>${shellLine(manifest.command)}</code></p>
<div class="columns"><table class="facts"><caption>Environment</caption><tbody>${environmentFacts(run).map(factRow)}</tbody></table>
<table class="facts"><caption>Plan</caption><tbody>${flatten(manifest.plan, '').map(factRow)}</tbody></table></div>
<p class="note">Every sample of this run is in <code>${runDirectory}</code>.</p></section>`;
}

function environmentFacts({ manifest }: FinishedRun): Fact[] {
  const { host, chromium, loadline, startedAt, copies = [] } = manifest;
  // What its kind can do is the same in every run of it.
  const { abilities: _, nature: __, ...server } = manifest.server;
  return [
    ['started', startedAt],
    ...flatten(server, 'server'),
    ...flatten(host, 'probe host'),
    ['chromium', `${chromium.version} (${chromium.path})`],
    ['loadline', loadline],
    ...copies.map((copy): Fact => ['copied to', copy]),
  ];
}

function factRow([name, value]: Fact): Markup {
  return html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
}

function flatten(value: unknown, path: string): Fact[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const entries = Array.isArray(value)
    ? value.map((one, index) => [`${path}[${index}]`, one] as const)
    : Object.entries(value).map(([name, one]) => [path === '' ? name : `${path}.${name}`, one] as const);
  return entries.flatMap(([name, one]) => flatten(one, name));
}
