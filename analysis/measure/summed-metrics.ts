import { receiveMetrics, type StreamMetric, sendMetrics } from '../../model/metric.js';
import type { Direction } from '../../model/scenario.js';

/** The metrics of a stream that are summed up over a window, all that the catalogue has for its direction, numbered. */
export const summedMetrics: Readonly<Record<Direction, ReadonlyMap<StreamMetric, number>>> = {
  receive: numbered(receiveMetrics),
  send: numbered(sendMetrics),
};

function numbered(catalogue: object): ReadonlyMap<StreamMetric, number> {
  return new Map(Object.keys(catalogue).map((name, index) => [name as StreamMetric, index]));
}
