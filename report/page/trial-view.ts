import { type CurveName, curves, type TrialData } from '../wire/trial-data.js';
import { choice, el, lazyTable, list, svg, table } from './dom.js';
import { layerCharts } from './layer-charts.js';
import { machineCharts } from './machine-charts.js';
import { probeBars } from './probe-bars.js';
import { probePanel } from './probe-panel.js';
import { type ChartLine, timeChart } from './time-chart.js';
import type { Trial } from './unpack.js';
import { figure } from './words.js';

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
    layerCharts(trial),
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

/** The mean of all probes, or of their streams, with the band from the least to the most. */
function spreadChart(trial: Trial): HTMLElement {
  const place = el('div', {});
  const draw = (name: CurveName) => {
    const { label, unit } = curves.find((curve) => curve.name === name) ?? curves[0];
    const { of, mean, least, most } = trial.spread(name);
    const lines: ChartLine[] = [
      { label: 'most', values: most, colour: 'accent', edge: true },
      { label: 'least', values: least, colour: 'accent', edge: true },
      { label: 'mean', values: mean, colour: 'accent' },
    ];
    const title = `${label.charAt(0).toUpperCase()}${label.slice(1)}, ${of}`;
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

const height = 110;
const mostBins = 30;

/**
 * How long joining took: a histogram of connecting, from the probe's own start, and of the first frame, from when its
 * sources had started, on one axis.
 */
function joinChart({ probes }: TrialData): HTMLElement {
  const joined = probes.flatMap(({ joinMs }) => joinMs ?? []);
  const framed = probes.flatMap(({ firstFrameMs }) => firstFrameMs ?? []);
  const most = Math.max(0, ...joined, ...framed);
  const missing = probes.length - joined.length;
  const caption = el('figcaption', {}, 'Time to join, probes per span of time');
  if (most === 0) return el('figure', { class: 'joins' }, caption, el('p', { class: 'note' }, 'No probe joined.'));
  const bins = Math.min(mostBins, Math.max(8, Math.ceil(Math.sqrt(probes.length) * 2)));
  const counts = [joined, framed].map((times) => histogram(times, most, bins));
  const tallest = Math.max(...counts.flat(), 1);
  const names = ['connected', 'first frame after its sources'];
  const drawn = svg(
    'svg',
    {
      viewBox: `0 0 ${bins * 10} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': summaryOf(joined, framed, missing),
    },
    counts.map((one, index) =>
      svg('path', { class: index === 0 ? 'join-one' : 'join-two', d: stepPath(one, tallest) }),
    ),
  );
  return el(
    'figure',
    { class: 'joins' },
    caption,
    el(
      'p',
      { class: 'key' },
      el('i', { class: 'swatch join-one' }),
      ' connected ',
      el('i', { class: 'swatch join-two' }),
      ' first frame, once its sources had started',
    ),
    el('div', { class: 'histogram' }, drawn),
    el('p', { class: 'ends' }, el('span', {}, '0 s'), el('span', {}, `${figure(most / 1000)} s`)),
    missing > 0 ? el('p', { class: 'note' }, `${missing} of ${probes.length} probes never connected.`) : undefined,
    lazyTable('Times to join', () =>
      table(
        ['seconds', 'min', 'p50', 'p95', 'max', 'probes'],
        [joined, framed].map((times, index) => [names[index], ...spread(times), String(times.length)]),
      ),
    ),
  );
}

function histogram(times: readonly number[], most: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const time of times) {
    const bin = Math.min(bins - 1, Math.floor((time / most) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

function stepPath(counts: readonly number[], tallest: number): string {
  const tops = counts.map((count) => `V${(height * (1 - count / tallest)).toFixed(1)}h10`);
  return `M0 ${height}${tops.join('')}V${height}z`;
}

/** Nearest rank: always a time that was seen. */
function spread(times: readonly number[]): string[] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (percent: number) => sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  return [0, 50, 95, 100]
    .map((percent) => figure((at(percent) ?? Number.NaN) / 1000))
    .map((text) => (text === 'NaN' ? '–' : text));
}

function summaryOf(joined: readonly number[], framed: readonly number[], missing: number): string {
  const [, p50, p95] = spread(joined);
  const [, frame50, frame95] = spread(framed);
  return `Connected after ${p50} s at the median and ${p95} s at p95; first frame ${frame50} s and ${frame95} s after its sources had started; ${missing} never connected.`;
}
