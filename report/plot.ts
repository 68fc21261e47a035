import { html, type Markup } from './html.js';

/**
 * Plots that stretch with the page and whose text does not: lines are an SVG of 100 × 100 that is pulled to the size of
 * its box, marks and labels are HTML placed by percentages. They need no script and print as they are.
 */
interface Plot {
  readonly title: string;
  /** What someone who does not see it is told. */
  readonly summary: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  readonly marks: readonly Mark[];
  readonly heightRem: number;
}

export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  readonly label: string;
}

export interface Line {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly look: 'limit' | 'bracket' | 'way' | 'fill' | 'curve';
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly look: 'stable' | 'unstable' | 'void' | 'unmeasured';
  /** Shown on hovering. */
  readonly text: string;
  /** Its value lies above the plot. */
  readonly beyond?: boolean;
}

export function plot({ title, summary, x, y, lines, marks, heightRem }: Plot): Markup {
  const left = (value: number) => round(100 * share(value, x));
  const bottom = (value: number) => round(100 * share(value, y));
  const path = ({ points, look }: Line) => {
    const d = points
      .map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${left(px)} ${round(100 - 100 * share(py, y))}`)
      .join('');
    return html`<path class="${look}" d="${d}${look === 'fill' ? 'Z' : ''}"/>`;
  };
  return html`<div class="plot" role="img" aria-label="${title}: ${summary}" style="height:${heightRem}rem">
<div class="plot-box">
${y.ticks.map(({ at, text }) => html`<i class="grid" style="bottom:${bottom(at)}%"></i><span class="tick y" style="bottom:${bottom(at)}%">${text}</span>`)}
${x.ticks.map(({ at, text }) => html`<span class="tick x" style="left:${left(at)}%">${text}</span>`)}
<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${lines.map(path)}</svg>
${marks.map((mark) => html`<b class="mark ${mark.look}${mark.beyond ? ' beyond' : ''}" style="left:${left(mark.x)}%;bottom:${bottom(mark.y)}%" title="${mark.text}"></b>`)}
</div><span class="axis-label x">${x.label}</span><span class="axis-label y">${y.label}</span></div>`;
}

function share(value: number, { from, to }: Axis): number {
  return to === from ? 0.5 : Math.min(1, Math.max(0, (value - from) / (to - from)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Ticks at round numbers, at most `most` of them beside zero. */
export function niceTicks(to: number, most: number): number[] {
  if (to <= 0) return [0];
  const rough = to / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(to / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** An axis from zero, with its ticks at numbers that are round, and whole where so much is counted. */
export function axisTo(to: number, label: string, textOf: (value: number) => string, isWhole = true): Axis {
  const ticks = niceTicks(to, 5).filter((at) => !isWhole || Number.isInteger(at));
  return { from: 0, to, ticks: ticks.map((at) => ({ at, text: textOf(at) })), label };
}

/** Of many ascending values so many that their labels do not touch: the last one is always among them. */
export function thinned<T>(values: readonly T[], most: number): T[] {
  const step = Math.ceil(values.length / most);
  return values.filter((_, index) => (values.length - 1 - index) % step === 0);
}
