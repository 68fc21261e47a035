import type { MachineCurve, TrialData } from '../wire/trial-data.js';
import { choice, el } from './dom.js';
import { drawnOn } from './drawn-on.js';
import { timeChart } from './time-chart.js';

const machineColours = ['accent', 'second', 'third', 'fourth'];

/** Server, relay and a single probe host side by side; of several hosts one at a time, the busiest first. */
export function machineCharts(data: TrialData): HTMLElement | undefined {
  if (data.machines.length === 0) return undefined;
  const together = data.machines.filter(({ host }) => host === undefined);
  const parts = [...new Set(together.map(({ of }) => of))];
  const hosts = [...new Set(data.machines.flatMap(({ host }) => host ?? []))];
  return el(
    'div',
    {},
    together.length === 0 ? undefined : [el('h3', {}, titleOf(parts)), charts(together, data)],
    hosts.length === 0 ? undefined : hostCharts(data, hosts),
  );
}

function titleOf(parts: readonly string[]): string {
  const names = ['server', 'TURN server', 'probe host'].filter((name) => parts.includes(name));
  const text = names.length < 2 ? `${names[0] ?? ''}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hostCharts(data: TrialData, hosts: readonly string[]): HTMLElement {
  const place = el('div', {});
  const curvesOf = (host: string) => data.machines.filter((curve) => curve.host === host);
  const busiest = (host: string) =>
    Math.max(
      0,
      ...curvesOf(host).flatMap(({ unit, values }) => (unit === 'cores' ? values.map((value) => value ?? 0) : [])),
    );
  const ordered = [...hosts].sort((a, b) => busiest(b) - busiest(a));
  const show = (host: string) => place.replaceChildren(charts(curvesOf(host), data));
  const picker = choice(
    'Host',
    ordered.map((host) => ({ value: host, text: host })),
    show,
  );
  show(ordered[0] ?? '');
  return el(
    'div',
    { class: 'hosts' },
    el('h3', {}, 'Probe hosts'),
    el('div', { class: 'controls' }, picker.label),
    place,
  );
}

function charts(machines: readonly MachineCurve[], data: TrialData): HTMLElement {
  const cores = machines.filter(({ unit }) => unit === 'cores');
  const others = machines.filter(({ unit }) => unit !== 'cores');
  return el(
    'div',
    { class: 'chart-grid' },
    chart('CPU', 'cores', cores, data),
    others.map((one) => chart(one.unit === 'MB' ? `Memory: ${one.label}` : one.label, one.unit, [one], data)),
  );
}

function chart(
  title: string,
  unit: string,
  machines: readonly MachineCurve[],
  data: TrialData,
): HTMLElement | undefined {
  if (machines.length === 0) return undefined;
  const drawn = drawnOn(machines);
  const lines = machines.map(({ label }, index) => {
    return { label, values: drawn.lines[index] ?? [], colour: machineColours[index] ?? 'accent' };
  });
  return timeChart({ title, unit, times: drawn.times, lines, windowS: data.windowS, height: 150 });
}
