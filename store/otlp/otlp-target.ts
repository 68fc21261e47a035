import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { PointTarget, WriteOutcome } from '../points/point-sink.js';
import { outcomeOfStatus, type PostAnswer, post } from '../points/post.js';
import { readValues, valuesText } from '../series/series.js';
import { resourceMetrics } from './resource-metrics.js';

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
