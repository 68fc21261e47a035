import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { PointTarget, WriteOutcome } from '../points/point-sink.js';
import { outcomeOfStatus, type PostAnswer, post } from '../points/post.js';
import { isCounter, type PointValues, readValues, valuesText } from '../series/series.js';

/** A receiver of OTLP over HTTP. OpenTelemetry's own package writes requests and reads answers. */
export function otlpTarget(description: string, url: string, login: Readonly<Record<string, string>>): PointTarget {
  const headers = { ...login, 'content-type': 'application/x-protobuf', 'user-agent': 'loadline' };
  return {
    description,
    encode: valuesText,
    write: (texts, boundMs) => {
      const points = readValues(texts);
      const body = new Uint8Array(ProtobufMetricsSerializer.serializeRequest(resourceMetrics(points)) ?? []);
      return post({ url, headers, body }, boundMs, (answer) => outcomeOf(answer, texts.length));
    },
  };
}

function outcomeOf({ status, headers, bytes }: PostAnswer, points: number): WriteOutcome {
  if (status < 200 || status >= 300) {
    // The body is a google.rpc.Status in protocol buffers, whose sentence stands in it as it is.
    const said = new TextDecoder().decode(bytes).replace(/[^\x20-\x7e]+/g, ' ');
    return outcomeOfStatus(status, said, headers.get('retry-after'), points);
  }
  if (bytes.length === 0) return { kind: 'taken' };
  const { partialSuccess } = ProtobufMetricsSerializer.deserializeResponse(bytes);
  const rejected = Number(partialSuccess?.rejectedDataPoints ?? 0);
  if (rejected === 0) return { kind: 'taken' };
  const why = `it rejected ${rejected} values: ${partialSuccess?.errorMessage || 'nothing more'}`;
  // It counts values, of which a point has several: at least this many points are not whole.
  return { kind: 'refused', lost: Math.min(points, rejected), why };
}

const scope = { name: 'loadline' };
/** OTLP's word for a beginning that is not known. */
const unknownStart: DataPoint<number>['startTime'] = [0, 0];

/** Points as OpenTelemetry's SDK has them, each with the time at which it was measured. */
function resourceMetrics(points: readonly PointValues[]): ResourceMetrics {
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
