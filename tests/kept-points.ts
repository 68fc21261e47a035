import type { DataPoint } from '../store/points/data-point.js';
import type { PointSink } from '../store/points/point-sink.js';

/** A sink that keeps its points in memory. */
export function keptPoints(): PointSink & { readonly points: DataPoint[] } {
  const points: DataPoint[] = [];
  return {
    points,
    description: 'memory',
    refused: undefined,
    get account() {
      return { given: points.length, written: points.length, resent: 0, lost: 0 };
    },
    add: (more) => void points.push(...more),
    room: async () => undefined,
    close: async () => undefined,
  };
}
