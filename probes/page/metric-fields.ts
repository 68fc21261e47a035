import {
  type MetricDefinition,
  type ReceiveMetric,
  receiveMetrics,
  type SendMetric,
  sendMetrics,
} from '../../model/metric.js';
import type { MediaKind } from '../../model/scenario.js';

/** How a metric of the catalogue (model/metric.ts) is read from one entry of getStats. */
export interface MetricField<Metric> {
  readonly metric: Metric;
  readonly field: string;
  readonly scale: number;
  readonly reading?: MetricDefinition['reading'];
}

export const inboundCounters = fieldsOf<ReceiveMetric>(receiveMetrics, 'inbound-rtp', 'delta');
export const inboundGauges = fieldsOf<ReceiveMetric>(receiveMetrics, 'inbound-rtp', 'gauge');
export const playoutCounters = fieldsOf<ReceiveMetric>(receiveMetrics, 'media-playout', 'delta');
export const outboundCounters = fieldsOf<SendMetric>(sendMetrics, 'outbound-rtp', 'delta');
export const outboundGauges = fieldsOf<SendMetric>(sendMetrics, 'outbound-rtp', 'gauge');
export const sourceGauges = fieldsOf<SendMetric>(sendMetrics, 'media-source', 'gauge');
export const remoteCounters = fieldsOf<SendMetric>(sendMetrics, 'remote-inbound-rtp', 'delta');
export const remoteGauges = fieldsOf<SendMetric>(sendMetrics, 'remote-inbound-rtp', 'gauge');

/** By kind, what the catalogue says is read from entries of this type, but for what has code of its own in the page. */
function fieldsOf<Metric extends string>(
  catalogue: Readonly<Record<Metric, MetricDefinition>>,
  type: string,
  form: MetricDefinition['form'],
): Readonly<Record<MediaKind, readonly MetricField<Metric>[]>> {
  const of = (kind: MediaKind): readonly MetricField<Metric>[] =>
    (Object.keys(catalogue) as Metric[]).flatMap((metric) => {
      const { source, unit, kinds, reading, form: ofMetric } = catalogue[metric];
      const [ofType, field = ''] = source.split('.');
      if (ofType !== type || ofMetric !== form || reading === 'apart' || !kinds.includes(kind)) return [];
      return [{ metric, field, scale: scaleOf(unit), ...(reading ? { reading } : {}) }];
    });
  return { audio: of('audio'), video: of('video') };
}

/** W3C webrtc-stats has times in seconds and rates in bit/s. */
function scaleOf(unit: MetricDefinition['unit']): number {
  if (unit === 'ms²') return 1e6;
  return unit === 'ms' ? 1000 : unit === 'kbit/s' ? 0.001 : 1;
}
