import type { LayerCurve } from '../wire/trial-data.js';
import { el } from './dom.js';
import { timeChart } from './time-chart.js';
import type { Trial } from './unpack.js';

const colours = { low: 'accent', middle: 'second', high: 'third' } as const;
const charts = [
  { of: 'kbps', title: 'Video received', unit: 'kbit/s' },
  { of: 'fps', title: 'Frame rate received', unit: 'fps' },
  { of: 'width', title: 'Width of the pictures', unit: 'px' },
] as const satisfies readonly { readonly of: LayerCurve['of']; readonly title: string; readonly unit: string }[];

/** What came while each layer was asked for, side by side; nothing where no layers were asked for. */
export function layerCharts({ data, times }: Trial): HTMLElement | undefined {
  if (data.layers.length === 0) return undefined;
  return el(
    'div',
    {},
    el('h3', {}, 'By layer asked for'),
    el(
      'div',
      { class: 'chart-grid' },
      charts.map(({ of, title, unit }) => {
        const own = data.layers.filter((curve) => curve.of === of);
        const lines = own.map(({ layer, values }) => ({ label: layer, values, colour: colours[layer] }));
        const shown = { title: `${title}, mean of all who asked`, unit, times, lines };
        return lines.length === 0 ? undefined : timeChart({ ...shown, windowS: data.windowS, height: 150 });
      }),
    ),
  );
}
