import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { isCounter } from '../series/counters.js';
import type { PointValues } from '../series/series.js';

const scope = { name: 'loadline' };
/** OTLP's word for a beginning that is not known. */
const unknownStart: DataPoint<number>['startTime'] = [0, 0];

/** Points as OpenTelemetry's SDK has them, each with the time at which it was measured. */
export function resourceMetrics(points: readonly PointValues[]): ResourceMetrics {
  const byName = new Map<string, DataPoint<number>[]>();
  for (const { labels, atMs, values } of points) {
    const endTime: DataPoint<number>['endTime'] = [Math.floor(atMs / 1000), (atMs % 1000) * 1_000_000];
    for (const { name, value } of values) {
      const known = byName.get(name) ?? [];
      known.push({ startTime: isCounter(name) ? unknownStart : endTime, endTime, attributes: labels, value });
      byName.set(name, known);
    }
  }
  const metrics = [...byName].map(([name, dataPoints]) => metricOf(name, dataPoints));
  return {
    resource: resourceFromAttributes({ 'service.name': 'loadline' }),
    scopeMetrics: [{ scope, metrics }],
  };
}

/** Units stand in the names, as in Prometheus: a receiver that adds them would say them twice. */
function metricOf(name: string, dataPoints: DataPoint<number>[]): MetricData {
  const common = {
    descriptor: { name, description: '', unit: '', valueType: 1 },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints,
  };
  return isCounter(name)
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE };
}
