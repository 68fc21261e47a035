import type { Capacity } from '../analysis/capacity/capacity.js';
import { type CapacitySection, capacitySections } from '../analysis/report/capacity-sections.js';
import { capacityHeadline, grouped } from '../analysis/report/capacity-words.js';
import { percentText } from '../analysis/wording/quantity.js';
import { numberNear } from '../analysis/wording/wording.js';
import { html, type Markup, nothing, type PageAssets, staticPage } from './html.js';
import { axisTo, type Line, niceTicks, plot } from './plot.js';

export function capacityPage(capacity: Capacity, assets: PageAssets): string {
  const headline = capacityHeadline(capacity);
  const [fleet, hosts, ...others] = capacitySections(capacity);
  const main = html`<header class="answer stable">${simulatedBanner(capacity)}<h1>${headline}</h1>
<p class="note">Computed from what stored runs have measured. What was not measured is listed at the end.</p></header>
<div class="first">${hostsPlot(capacity)}${fleet ? sectionOf(fleet) : nothing}</div>
<div class="columns">${bindsSection(capacity)}${costPlot(capacity)}${dayPlot(capacity)}</div>
${hosts ? sectionOf(hosts) : nothing}<div class="columns">${others.map(sectionOf)}</div>
<section aria-labelledby="h-assumed"><h2 id="h-assumed">What was not measured and is taken for granted</h2>
<ul>${capacity.assumptions.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
  return staticPage(headline, main, assets);
}

function simulatedBanner({ choices }: Capacity): Markup {
  return choices.some(({ limit }) => limit.nature === 'simulated')
    ? html`<p><strong>Simulated: the server exists in numbers only, so these are no hosts at all.</strong></p>`
    : nothing;
}

function sectionOf({ title, head, rows, notes }: CapacitySection): Markup {
  const id = `h-${title.toLowerCase().replaceAll(' ', '-')}`;
  const used = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Table of ${title}"><table><thead><tr>${used.map((column) => html`<th scope="col">${head[column]}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${used.map((column) => html`<td>${row[column]}</td>`)}</tr>`)}</tbody></table></div>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${rows.length === 0 ? nothing : table}
${notes.map((note) => html`<p class="note">${note}</p>`)}</section>`;
}

/** Demand as the first of what was asked; the others go with it. */
function demandAxis({ asked, overDemand, choices }: Capacity) {
  const [first] = asked.demands;
  const most = (overDemand.at(-1)?.factor ?? 1) * (first?.units ?? 0);
  const unit = choices.find(({ limit }) => limit.scenario === first?.scenario)?.limit.unit.many ?? '';
  const label = asked.demands.length > 1 ? `${unit}, the other demands in proportion` : unit;
  return { from: 0, to: most, ticks: niceTicks(most, 6).map((at) => ({ at, text: grouped(at) })), label };
}

function hostsPlot(capacity: Capacity): Markup {
  const { overDemand, peak, asked } = capacity;
  const units = asked.demands[0]?.units ?? 0;
  const top = Math.max(2, 1.08 * Math.max(...overDemand.map(({ hosts }) => hosts)));
  const sure = overDemand.map(({ factor, hosts }) => [factor * units, hosts] as const);
  const known = overDemand.every(({ fewest }) => fewest !== null);
  const possible = overDemand.map(({ factor, fewest }) => [factor * units, fewest ?? 0] as const);
  const lines: Line[] = [
    ...(known ? [{ look: 'fill' as const, points: [...sure, ...[...possible].reverse()] }] : []),
    { look: 'curve', points: sure },
    { look: 'limit', points: [[units, 0] as const, [units, top] as const] },
  ];
  return html`<section aria-labelledby="h-over"><h2 id="h-over">Hosts over demand</h2>${plot({
    title: 'Hosts over demand',
    summary: `${peak.hosts} hosts for what was asked`,
    x: demandAxis(capacity),
    y: axisTo(top, 'hosts', grouped),
    lines,
    marks: [{ x: units, y: peak.hosts, look: 'stable', text: `${grouped(units)}: ${peak.hosts} hosts` }],
    heightRem: 18,
  })}<p class="key"><b class="mark stable"></b> what was asked ${known ? html`<i class="swatch"></i> fewer would do if each host holds as much as it may at most` : nothing}</p></section>`;
}

function costPlot(capacity: Capacity): Markup {
  const { overDemand, asked, cost } = capacity;
  if (!cost) return nothing;
  const units = asked.demands[0]?.units ?? 0;
  const points = overDemand.map(({ factor, costPerMonth = 0 }) => [factor * units, costPerMonth] as const);
  const top = Math.max(1, 1.08 * Math.max(...points.map(([, value]) => value)));
  return html`<section aria-labelledby="h-cost-over"><h2 id="h-cost-over">Cost over demand</h2>${plot({
    title: 'Cost over demand',
    summary: `${numberNear(cost.total)} ${asked.prices?.currency ?? ''} a month for what was asked`,
    x: demandAxis(capacity),
    y: axisTo(top, `${asked.prices?.currency ?? ''} a month`, (at) => grouped(Number(numberNear(at))), false),
    lines: [{ look: 'curve', points }],
    marks: [{ x: units, y: cost.total, look: 'stable', text: numberNear(cost.total) }],
    heightRem: 14,
  })}</section>`;
}

function dayPlot({ curve }: Capacity): Markup {
  if (curve.length === 0) return nothing;
  const top = Math.max(2, 1.08 * Math.max(...curve.map(({ hosts }) => hosts)));
  let from = 0;
  const steps = curve.map(({ time, hours, hosts }) => {
    const step = { time, hosts, from, to: from + hours };
    from = step.to;
    return step;
  });
  return html`<section aria-labelledby="h-day"><h2 id="h-day">Hosts over a day</h2>${plot({
    title: 'Hosts over a day',
    summary: curve.map(({ time, hosts }) => `${time} ${hosts}`).join(', '),
    x: {
      from: 0,
      to: from,
      ticks: apart(steps, from / 8).map((step) => ({ at: step.from, text: step.time })),
      label: 'time',
    },
    y: axisTo(top, 'hosts', grouped),
    lines: [
      {
        look: 'curve',
        points: steps.flatMap((step) => [[step.from, step.hosts] as const, [step.to, step.hosts] as const]),
      },
    ],
    marks: [],
    heightRem: 14,
  })}</section>`;
}

/** Those that begin so long after the last one of them that their labels do not touch. */
function apart<T extends { readonly from: number }>(steps: readonly T[], hours: number): T[] {
  let next = 0;
  return steps.filter(({ from }) => {
    if (from < next) return false;
    next = from + hours;
    return true;
  });
}

/** How full each resource of a host is when it is given what is planned: where the bar ends is what is left. */
function bindsSection({ choices }: Capacity): Markup {
  const rows = choices.map(({ limit, sure }) => {
    const bars = Object.entries(sure.used).map(
      ([
        resource,
        share,
      ]) => html`<div style="display:grid;grid-template-columns:10rem 1fr 4rem;gap:.5rem;align-items:center">
<span>${resource}${resource === sure.binds ? ' ◂' : ''}</span><span style="background:var(--grid);height:.8rem;display:block"><span style="background:var(${resource === sure.binds ? '--accent' : '--bar'});height:.8rem;display:block;width:${numberNear(100 * Math.min(1, share))}%"></span></span><span>${percentText(share)}</span></div>`,
    );
    return html`<h3>${limit.scenario} on ${limit.hostType}</h3>${bars}`;
  });
  return html`<section aria-labelledby="h-binds"><h2 id="h-binds">What binds where</h2>${rows}
<p class="note">How full a host is with what it is given; ◂ is what allows no more.</p></section>`;
}
