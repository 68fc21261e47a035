import type { TrialData } from '../wire/trial-data.js';
import { type Bar, barsOf, rateOf } from './bars.js';
import { choice, el, lazyTable, svg } from './dom.js';
import { type Order, ordered, orders, type Placed } from './probe-order.js';
import { probeTable } from './probe-table.js';
import { figure, wordsOf } from './words.js';

const leastBarPx = 4;
const mostBarPx = 40;
const rateHeight = 150;
const lossHeight = 70;
/** Room for the figures of the axes. */
const gutter = 40;

/**
 * Two rows of bars over the same probes: bitrate, standing, with what its role got in the baseline; and loss, hanging
 * below it, so that what is low for one probe and lost for its neighbour is seen as one fault.
 */
export function probeBars(data: TrialData, onProbe: (index: number) => void): HTMLElement {
  const place = el('div', { class: 'scroll bars', tabindex: '0', role: 'region', 'aria-label': 'Bars by probe' });
  const readout = el('p', { class: 'readout', 'aria-hidden': 'true' }, 'Point at a bar; choose it for its curves.');
  const draw = (order: Order) => {
    const say = (text: string) => {
      readout.textContent = text;
    };
    place.replaceChildren(chartOf(data, ordered(barsOf(data), order), place.clientWidth || 800, { say, onProbe }));
  };
  const { label } = choice('Order', orders, (value) => draw(value as Order));
  draw('session');
  const sizes = new ResizeObserver(() => {
    if (!place.isConnected) sizes.disconnect();
    else draw((label.querySelector('select')?.value ?? 'session') as Order);
  });
  sizes.observe(place);
  return el(
    'figure',
    { class: 'by-probe' },
    el('figcaption', {}, 'By probe: received bitrate, kbit/s (sent, where nothing is received), and below it loss, %'),
    el('div', { class: 'controls' }, label, legend(data)),
    place,
    readout,
    lazyTable('Probes', () => probeTable(data, onProbe)),
  );
}

function legend({ limits }: TrialData): HTMLElement {
  const limit = limits.bitratePercentOfBaseline;
  return el(
    'span',
    { class: 'key' },
    el('i', { class: 'swatch bar-good' }),
    ' within limits ',
    el('i', { class: 'swatch bar-bad' }),
    ' failing ',
    el('i', { class: 'swatch baseline' }),
    ` baseline${limit === undefined ? '' : ` and ${limit} % of it`}`,
  );
}

interface Scale {
  readonly width: number;
  readonly bar: number;
  readonly mostRate: number;
  readonly mostLoss: number;
}

/** What is done with the bar that is pointed at, and with one that is chosen. */
interface Pointed {
  readonly say: (text: string) => void;
  readonly onProbe: (index: number) => void;
}

function chartOf(data: TrialData, placed: readonly Placed[], width: number, { say, onProbe }: Pointed): Element {
  const scale = scaleOf(data, placed, width);
  const bars = svg(
    'svg',
    {
      width: String(scale.width + gutter),
      height: String(rateHeight + lossHeight + 18),
      role: 'img',
      'aria-label': summaryOf(data),
    },
    axis(scale),
    svg(
      'g',
      { transform: `translate(${gutter} 0)` },
      groupBands(placed, scale),
      barPath('bar-good', placed, scale, ({ failing }) => !failing),
      barPath('bar-bad', placed, scale, ({ failing }) => failing),
      baselinePaths(data, placed, scale),
      lossLimit(data, scale),
      labels(placed, scale),
    ),
  );
  const at = (event: MouseEvent) =>
    placed[Math.floor((event.clientX - bars.getBoundingClientRect().left - gutter) / scale.bar)];
  bars.addEventListener('mousemove', (event) => {
    const found = at(event as MouseEvent);
    if (found) say(wordsOf(found, data.limits));
  });
  bars.addEventListener('click', (event) => {
    const found = at(event as MouseEvent);
    if (found) onProbe(found.index);
  });
  return bars;
}

function scaleOf({ limits }: TrialData, placed: readonly Placed[], room: number): Scale {
  const bar = Math.min(mostBarPx, Math.max(leastBarPx, (room - gutter - 4) / Math.max(1, placed.length)));
  const rates = placed.map(({ figures }) => rateOf(figures)).flatMap(({ kbps = 0, baseline = 0 }) => [kbps, baseline]);
  const losses = placed.map(({ figures }) => figures.lossPercent ?? 0);
  return {
    width: Math.ceil(bar * placed.length),
    bar,
    mostRate: 1.1 * Math.max(1, ...rates),
    mostLoss: Math.max(1.5 * (limits.lossPercent || 1), ...losses),
  };
}

/** A round number and its half on either axis. */
function axis({ mostRate, mostLoss }: Scale): Element[] {
  const text = (y: number, words: string) =>
    svg('text', { x: String(gutter - 6), y: (y + 4).toFixed(1), 'text-anchor': 'end' }, words);
  const rates = [roundBelow(mostRate), roundBelow(mostRate) / 2];
  const loss = roundBelow(mostLoss);
  return [
    ...rates.map((rate) => text(rateHeight * (1 - rate / mostRate), figure(rate))),
    text(rateHeight, '0'),
    text(rateHeight + 2 + (lossHeight * loss) / mostLoss, `${figure(loss)} %`),
  ];
}

/** The largest of 1, 2, 5, 10, 20 … that is not above a value. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2].find((factor) => factor * power <= value) ?? 1);
}

function barPath(look: string, placed: readonly Placed[], scale: Scale, isOne: (bar: Bar) => boolean): Element {
  let d = '';
  placed.forEach((bar, position) => {
    if (!isOne(bar)) return;
    const gap = scale.bar > 6 ? 1 : 0.5;
    const x = position * scale.bar + gap;
    const width = Math.max(1, scale.bar - 2 * gap);
    const rate = (rateHeight * (rateOf(bar.figures).kbps ?? 0)) / scale.mostRate;
    const loss = (lossHeight * (bar.figures.lossPercent ?? 0)) / scale.mostLoss;
    d += `M${x.toFixed(1)} ${rateHeight}v${(-rate).toFixed(1)}h${width.toFixed(1)}v${rate.toFixed(1)}z`;
    if (loss > 0)
      d += `M${x.toFixed(1)} ${rateHeight + 2}v${loss.toFixed(1)}h${width.toFixed(1)}v${(-loss).toFixed(1)}z`;
  });
  return svg('path', { class: look, d });
}

/** The baseline of each probe's role, and the share of it that is asked. */
function baselinePaths({ limits }: TrialData, placed: readonly Placed[], scale: Scale): Element[] {
  const line = (look: string, share: number) => {
    let d = '';
    placed.forEach(({ figures }, position) => {
      const { baseline } = rateOf(figures);
      if (baseline === undefined) return;
      const y = rateHeight * (1 - (baseline * share) / scale.mostRate);
      d += `M${(position * scale.bar).toFixed(1)} ${y.toFixed(1)}h${scale.bar.toFixed(1)}`;
    });
    return svg('path', { class: look, d });
  };
  const limit = limits.bitratePercentOfBaseline;
  return [line('baseline', 1), ...(limit === undefined ? [] : [line('limit', limit / 100)])];
}

function lossLimit({ limits }: TrialData, { mostLoss, width }: Scale): Element[] {
  if (limits.lossPercent === undefined) return [];
  const y = rateHeight + 2 + (lossHeight * limits.lossPercent) / mostLoss;
  return [svg('path', { class: 'limit', d: `M0 ${y.toFixed(1)}h${width}` })];
}

/** Every second session or page is tinted, so that its probes are seen as one. */
function groupBands(placed: readonly Placed[], { bar }: Scale): Element {
  let d = '';
  let start = 0;
  let tinted = false;
  placed.forEach(({ group }, position) => {
    const next = placed[position + 1];
    if (next?.group === group) return;
    if (tinted && group !== '')
      d += `M${(start * bar).toFixed(1)} 0h${((position + 1 - start) * bar).toFixed(1)}v${rateHeight + lossHeight + 2}H${(start * bar).toFixed(1)}z`;
    tinted = !tinted;
    start = position + 1;
  });
  return svg('path', { class: 'group', d });
}

function labels(placed: readonly Placed[], { bar }: Scale): Element[] {
  const every = Math.ceil(38 / bar);
  return placed.flatMap(({ probe }, position) =>
    position % every !== 0
      ? []
      : svg(
          'text',
          {
            x: (position === 0 ? 0 : (position + 0.5) * bar).toFixed(1),
            'text-anchor': position === 0 ? 'start' : 'middle',
            y: String(rateHeight + lossHeight + 15),
          },
          probe.id.slice(0, 8),
        ),
  );
}

function summaryOf({ probes, streams }: TrialData): string {
  const apart = streams.length === 0 ? '' : `, with ${streams.length} streams by themselves`;
  const failing = probes.filter(({ reasons }) => reasons.length > 0);
  const named = failing
    .slice(0, 10)
    .map(({ id }) => id)
    .join(', ');
  return `Bars of ${probes.length} probes${apart}, ${failing.length} of them failing${failing.length === 0 ? '' : `: ${named}`}. The table below has every figure.`;
}
