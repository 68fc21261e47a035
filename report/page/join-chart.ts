import type { TrialData } from '../wire/trial-data.js';
import { el, figure, lazyTable, svg, table } from './dom.js';

const height = 110;
const mostBins = 30;

/**
 * How long joining took: a histogram of connecting, from the probe's own start, and of the first frame, from when its
 * sources had started, on one axis.
 */
export function joinChart({ probes }: TrialData): HTMLElement {
  const joined = probes.flatMap(({ joinMs }) => joinMs ?? []);
  const framed = probes.flatMap(({ firstFrameMs }) => firstFrameMs ?? []);
  const most = Math.max(0, ...joined, ...framed);
  const missing = probes.length - joined.length;
  const caption = el('figcaption', {}, 'Time to join, probes per span of time');
  if (most === 0) return el('figure', { class: 'joins' }, caption, el('p', { class: 'note' }, 'No probe joined.'));
  const bins = Math.min(mostBins, Math.max(8, Math.ceil(Math.sqrt(probes.length) * 2)));
  const counts = [joined, framed].map((times) => histogram(times, most, bins));
  const tallest = Math.max(...counts.flat(), 1);
  const names = ['connected', 'first frame'];
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
  return `Connected after ${p50} s at the median and ${p95} s at p95; first frame after ${frame50} s and ${frame95} s; ${missing} never connected.`;
}
