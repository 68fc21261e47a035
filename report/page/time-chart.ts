import uPlot from 'uplot';
import { colour, el, lazyTable, onTheme, table } from './dom.js';
import { figure } from './words.js';

export interface ChartLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A colour of the style sheet. */
  readonly colour: string;
  /** Drawn as an edge of the band, thinner. */
  readonly edge?: boolean;
  readonly dashed?: boolean;
}

interface TimeChart {
  readonly title: string;
  readonly unit: string;
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** The first two lines are the upper and lower edge of a band. */
  readonly band?: boolean;
  /** Seconds of the measured window, which begins at 0. */
  readonly windowS?: number | undefined;
  readonly height?: number;
}

const cursorSync = 'trial-time';

/** A chart over time with its legend and, behind it, its table. It follows width and colours of the page. */
export function timeChart(chart: TimeChart): HTMLElement {
  const place = el('div', { class: 'chart', role: 'img', 'aria-label': summaryOf(chart) });
  const figureElement = el(
    'figure',
    { class: 'time' },
    el('figcaption', {}, chart.unit === '' ? chart.title : `${chart.title}, ${chart.unit}`),
    place,
    lazyTable(`${chart.title}, second by second`, () => tableOf(chart)),
  );
  let drawn: uPlot | undefined;
  const draw = () => {
    if (!place.isConnected) return release();
    drawn?.destroy();
    drawn = new uPlot(
      optionsOf(chart, place.clientWidth),
      [chart.times, ...chart.lines.map(({ values }) => values)] as uPlot.AlignedData,
      place,
    );
  };
  const sizes = new ResizeObserver(() => {
    if (!place.isConnected) return release();
    if (!drawn) draw();
    else if (place.clientWidth > 0 && place.clientWidth !== drawn.width)
      drawn.setSize({ width: place.clientWidth, height: drawn.height });
  });
  const forget = onTheme(draw);
  const release = () => {
    sizes.disconnect();
    forget();
    drawn?.destroy();
  };
  sizes.observe(place);
  return figureElement;
}

function optionsOf({ lines, unit, band, windowS, height = 200 }: TimeChart, width: number): uPlot.Options {
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('grid'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  return {
    width: Math.max(200, width),
    height,
    cursor: { sync: { key: cursorSync }, points: { size: 6 }, drag: { x: true, y: false } },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { ...axis, size: 28, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
      { ...axis, size: 52, values: (_, ticks) => ticks.map((tick) => figure(tick)) },
    ],
    series: [
      { label: 'time', value: (_, value) => (value === null || value === undefined ? '–' : `${value.toFixed(1)} s`) },
      ...lines.map((line) => ({
        label: line.label,
        stroke: colour(line.colour),
        width: line.edge ? 0.5 : 1.5,
        ...(line.dashed ? { dash: [5, 4] } : {}),
        points: { show: false },
        spanGaps: false,
        value: (_: uPlot, value: number | null) => figure(value, unit),
      })),
    ],
    ...(band ? { bands: [{ series: [1, 2] as [number, number], fill: colour('band') }] } : {}),
    hooks: { drawClear: [(self) => shadeOutside(self, windowS)] },
  };
}

/** What is outside of the measured window lies under a tint. */
function shadeOutside(self: uPlot, windowS: number | undefined): void {
  if (windowS === undefined) return;
  const { ctx, bbox } = self;
  const from = Math.max(bbox.left, self.valToPos(0, 'x', true));
  const to = Math.min(bbox.left + bbox.width, self.valToPos(windowS, 'x', true));
  ctx.save();
  ctx.fillStyle = colour('tint');
  ctx.fillRect(bbox.left, bbox.top, Math.max(0, from - bbox.left), bbox.height);
  ctx.fillRect(to, bbox.top, Math.max(0, bbox.left + bbox.width - to), bbox.height);
  ctx.restore();
}

function summaryOf({ title, unit, lines, times }: TimeChart): string {
  const spans = lines.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label}: nothing measured`;
    return `${label}: ${figure(known.reduce((a, b) => Math.min(a, b)))} to ${figure(
      known.reduce((a, b) => Math.max(a, b)),
      unit,
    )}`;
  });
  return `${title} over ${times.length} points of time. ${spans.join('; ')}.`;
}

function tableOf({ times, lines, unit }: TimeChart): HTMLTableElement {
  const heads = ['second', ...lines.map(({ label }) => (unit === '' ? label : `${label}, ${unit}`))];
  return table(
    heads,
    times.map((time, index) => [time.toFixed(1), ...lines.map(({ values }) => figure(values[index]))]),
  );
}
