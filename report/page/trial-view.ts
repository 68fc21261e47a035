import { type CurveName, curves } from '../wire/trial-data.js';
import { choice, el, list } from './dom.js';
import { joinChart } from './join-chart.js';
import { machineCharts } from './machine-charts.js';
import { probeBars } from './probe-bars.js';
import { probePanel } from './probe-panel.js';
import { type ChartLine, timeChart } from './time-chart.js';
import type { Trial } from './unpack.js';

const mostReasons = 12;

/** One trial: all probes together, the machines, each probe, joining, and why the verdict is what it is. */
export function trialView(trial: Trial): HTMLElement {
  const { data } = trial;
  const worst = data.probes.findIndex(({ reasons }) => reasons.length > 0);
  const panel = el('div', { class: 'chosen-probe' });
  const options = data.probes.map(({ id, role, reasons }, index) => ({
    value: String(index),
    text: `${id} · ${role}${reasons.length > 0 ? ' ✗' : ''}`,
  }));
  const show = (index: number) => {
    picker.select.value = String(index);
    panel.replaceChildren(probePanel(trial, index, show));
  };
  const picker = choice('Probe', options, (value) => show(Number(value)));
  const showAndGo = (index: number) => {
    show(index);
    picker.label.scrollIntoView({ block: 'nearest' });
  };
  const view = el(
    'div',
    { class: 'trial-view' },
    verdictBox(trial),
    spreadChart(trial),
    machineCharts(data),
    data.probes.length === 0
      ? undefined
      : [
          el('h3', {}, 'By probe'),
          probeBars(data, showAndGo),
          el('div', { class: 'controls' }, picker.label, stepButtons(picker.select, data.probes.length, show)),
          panel,
          el('h3', {}, 'Joining'),
          joinChart(data),
        ],
    eventList(trial),
  );
  if (data.probes.length > 0) show(Math.max(0, worst));
  return view;
}

function verdictBox({ data }: Trial): HTMLElement {
  const { reasons, patterns, notes, curves: table } = data;
  const rest = reasons.slice(mostReasons);
  const binned =
    table.binMs > 1000
      ? [`Curves of single probes are means of ${table.binMs / 1000} s each, so that the file stays small.`]
      : [];
  return el(
    'div',
    { class: `verdict-box ${data.verdict}` },
    el('p', {}, el('b', {}, `Trial ${data.index}, ${data.size}: ${data.verdict}.`)),
    list('patterns', patterns),
    list('reasons', reasons.slice(0, mostReasons)),
    rest.length === 0 ? undefined : el('details', {}, el('summary', {}, `${rest.length} more`), list('reasons', rest)),
    [...notes, ...binned].map((text) => el('p', { class: 'note' }, text)),
  );
}

/** The mean of all probes with the band from the least to the most. */
function spreadChart(trial: Trial): HTMLElement {
  const place = el('div', {});
  const draw = (name: CurveName) => {
    const { label, unit } = curves.find((curve) => curve.name === name) ?? curves[0];
    const { mean, least, most } = trial.spread(name);
    const lines: ChartLine[] = [
      { label: 'most', values: most, colour: 'accent', edge: true },
      { label: 'least', values: least, colour: 'accent', edge: true },
      { label: 'mean', values: mean, colour: 'accent' },
    ];
    const title = `${label.charAt(0).toUpperCase()}${label.slice(1)}, all probes`;
    place.replaceChildren(
      timeChart({ title, unit, times: trial.times, lines, band: true, windowS: trial.data.windowS, height: 230 }),
    );
  };
  const shown = curves.filter(({ name }) => trial.spread(name).mean.some((value) => value !== null));
  const picker = choice(
    'Metric',
    shown.map(({ name, label }) => ({ value: name, text: label })),
    (value) => draw(value as CurveName),
  );
  const [first] = shown;
  if (!first) return el('p', { class: 'note' }, 'No samples were taken in this trial.');
  draw(first.name);
  return el(
    'div',
    { class: 'spread' },
    el('h3', {}, 'All probes'),
    el('div', { class: 'controls' }, picker.label),
    place,
  );
}

function stepButtons(select: HTMLSelectElement, count: number, show: (index: number) => void): HTMLElement[] {
  return [
    { text: '‹ previous', by: -1 },
    { text: 'next ›', by: 1 },
  ].map(({ text, by }) => {
    const button = el('button', { type: 'button' }, text);
    button.addEventListener('click', () => show((Number(select.value) + by + count) % count));
    return button;
  });
}

function eventList({ data }: Trial): HTMLElement {
  return el(
    'details',
    { class: 'events' },
    el('summary', {}, `What happened (${data.events.length})`),
    el(
      'ol',
      { tabindex: '0', 'aria-label': `What happened in trial ${data.index}` },
      data.events.map(({ atS, text }) =>
        el('li', {}, el('span', { class: 'time' }, `${atS.toFixed(1)} s`), ` ${text}`),
      ),
    ),
  );
}
