import type { DataPoint } from '../store/points/data-point.js';
import type { PointSink } from '../store/points/point-sink.js';
import type { SeriesPoints } from '../store/series/series-points.js';

/** A sink that keeps its points in memory, of series where it is given what makes them. */
export function keptPoints(series?: SeriesPoints): PointSink & { readonly points: DataPoint[] } {
  const points: DataPoint[] = [];
  return {
    points,
    description: 'memory',
    refused: undefined,
    get account() {
      return { given: points.length, written: points.length, resent: 0, lost: 0 };
    },
    get remark() {
      return series?.remark;
    },
    add: (more) => void points.push(...(series?.of(more) ?? more)),
    room: async () => undefined,
    close: async () => void points.push(...(series?.rest() ?? [])),
  };
}
