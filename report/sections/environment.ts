import { trustOf } from '../../analysis/judge/summary.js';
import { setText } from '../../analysis/report/network-section.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { numberNear, plural, shellLine } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import { listedWith } from '../../model/listed.js';
import { hasBrowsers } from '../../model/players.js';
import { those } from '../../model/those.js';
import { rateText } from '../../model/units.js';
import { html, type Markup } from '../html.js';

type Fact = readonly [name: string, value: string];

/** Where it was measured, and the plan in words; then every setting, which is enough to repeat it. */
export function environmentSection(run: FinishedRun): Markup {
  const { manifest, runDirectory } = run;
  return html`<section aria-labelledby="h-environment"><h2 id="h-environment">Environment and plan</h2>
<p>Repeat it with <code>${shellLine(manifest.command)}</code></p>
<div class="columns">${factTable('Environment', environmentFacts(run))}${factTable('Plan', planFacts(run))}</div>
<details><summary>Every setting</summary><div class="columns">${factTable('Environment, every fact', allFacts(run))}${factTable('Plan, every setting', flatten(manifest.plan, ''))}</div></details>
<p class="note">Every sample of this run is in <code>${runDirectory}</code>.</p></section>`;
}

function factTable(caption: string, facts: readonly Fact[]): Markup {
  return html`<table class="facts"><caption>${caption}</caption><tbody>${facts.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  )}</tbody></table>`;
}

function environmentFacts({ manifest, records }: FinishedRun): Fact[] {
  const { server, host, chromium, loadline, startedAt, plan } = manifest;
  const { probeCores } = trustOf(records);
  const held = probeCores === undefined ? '' : ` (${probeCores} of them for the probes)`;
  const { cores, memoryMb, upLinkBps } = givenTo(server);
  const limits = those(
    cores !== undefined && `${cores} cores`,
    memoryMb !== undefined && `${Math.round(memoryMb)} MB of memory`,
    upLinkBps !== undefined && `an up-link of ${rateText(upLinkBps)}`,
  );
  return [
    ['started', `${startedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['server', `${server.name} at ${server.url}, ${server.sameHost ? 'beside the probes' : 'on another host'}`],
    ...(limits.length === 0 ? [] : [['limited to', listedWith('and', limits)] as const]),
    ...(manifest.hostType === undefined ? [] : [['kind of host', manifest.hostType] as const]),
    ['probe host', `${plural(host.cores, 'core')}${held} of ${host.cpuModel}, ${numberNear(host.memoryMb / 1024)} GiB`],
    ['system', `${host.os} ${host.kernel}, Node ${host.node}`],
    ...(hasBrowsers(plan.players) ? [['browser', `Chromium ${chromium.version}`] as const] : []),
    ['Loadline', loadline],
    ...(manifest.tags?.length ? [['tags', manifest.tags.join(', ')] as const] : []),
    ...Object.entries(manifest.labels ?? {}),
  ];
}

function planFacts({ manifest: { plan, unit } }: FinishedRun): Fact[] {
  const { media, players, timing, networks, search } = plan;
  const { many } = unit ?? { many: 'sessions' };
  const pace = `joining at ${timing.pacePerSecond}/s${timing.autoPace ? ' or faster' : ''}`;
  return [
    ['scenario', plan.scenario],
    ['probes', players.kind],
    [
      'pictures',
      `${media.width}×${media.height} at ${media.framesPerSecond} fps, ${media.videoCodec} up to ${media.videoKbps} kbit/s`,
    ],
    [
      'window',
      `${durationText(timing.measureMs)}, after ${pace} and up to ${durationText(timing.settleMs)} of settling`,
    ],
    [
      'search',
      `from ${search.from} up to ${search.max} ${many}; the limit must pass ${plural(search.confirm, 'time')}`,
    ],
    ...(networks ?? []).map(
      ({ name, sharePercent, up, down }): Fact => [
        `network of ${sharePercent} %`,
        `${name}: up ${setText(up)}; down ${setText(down)}`,
      ],
    ),
    ...(plan.record === true ? [['recording', 'the server records what each participant sends'] as const] : []),
  ];
}

function allFacts({ manifest }: FinishedRun): Fact[] {
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

function flatten(value: unknown, path: string): Fact[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const entries = Array.isArray(value)
    ? value.map((one, index) => [`${path}[${index}]`, one] as const)
    : Object.entries(value).map(([name, one]) => [path === '' ? name : `${path}.${name}`, one] as const);
  return entries.flatMap(([name, one]) => flatten(one, name));
}
