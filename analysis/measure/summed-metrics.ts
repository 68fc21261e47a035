import { receiveMetrics, type StreamMetric, sendMetrics } from '../../model/metric.js';
import type { Direction } from '../../model/scenario.js';

/** The metrics of a stream that are summed up over a window: all that the catalogue has for its direction. */
export const summedMetrics: Readonly<Record<Direction, readonly StreamMetric[]>> = {
  receive: Object.keys(receiveMetrics) as StreamMetric[],
  send: Object.keys(sendMetrics) as StreamMetric[],
};
