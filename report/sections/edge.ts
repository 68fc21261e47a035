import { talliesOf } from '../../analysis/judge/summary.js';
import { countOf, unitOf } from '../../analysis/report/headline.js';
import { anytimeLowerBound, anytimeUpperBound, provenPassProbability } from '../../analysis/statistics/binomial.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { html, type Markup, nothing } from '../html.js';
import { type Axis, plot } from '../plot.js';

const percents: Axis = {
  from: 0,
  to: 104,
  ticks: [0, 50, 100].map((at) => ({ at, text: `${at} %` })),
  label: '',
};

/** Of an edge over several sizes: the share of stable trials at each size, and between which shares the truth lies. */
export function edgeFigure(run: FinishedRun, x: Axis): Markup {
  if (!run.answer.edge) return nothing;
  const sizes = talliesOf(run.records).flatMap(({ size, stable, judged }) => {
    if (judged === 0) return [];
    const [least, most] = [anytimeLowerBound(stable, judged), anytimeUpperBound(stable, judged)];
    return { size, stable, judged, share: (100 * stable) / judged, least: 100 * least, most: 100 * most };
  });
  const ends = [x.from, x.to].map((at) => [at, 100 * provenPassProbability] as const);
  return html`<figure><figcaption>stable trials; the band is what they show, at 95 % each way</figcaption>${plot({
    title: 'Share of stable trials',
    summary: `against ${unitOf(run).many}; ${sizes.map(({ size, stable, judged }) => `${size}: ${stable} of ${judged}`).join(', ')}`,
    x,
    y: percents,
    lines: [
      {
        look: 'fill',
        points: [
          ...sizes.map(({ size, least }) => [size, least] as const),
          ...[...sizes].reverse().map(({ size, most }) => [size, most] as const),
        ],
      },
      { look: 'curve', points: sizes.map(({ size, share }) => [size, share] as const) },
      { look: 'limit', points: ends },
    ],
    marks: sizes.map(({ size, stable, judged, share, least, most }) => ({
      x: size,
      y: share,
      look: share >= 100 * provenPassProbability ? ('stable' as const) : ('unstable' as const),
      text: `${countOf(run, size)}: stable in ${stable} of ${judged}, truly in ${Math.floor(least)} to ${Math.ceil(most)} %`,
    })),
    heightRem: 12,
  })}</figure>`;
}
