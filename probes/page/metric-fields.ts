import type { ReceiveMetric, SendMetric } from '../../model/metric.js';
import type { MediaKind } from '../../model/scenario.js';

/** How a metric of the catalogue (model/metric.ts) is read from one entry. `scale` turns seconds to milliseconds. */
export interface MetricField<Metric> {
  readonly metric: Metric;
  readonly field: string;
  readonly scale?: number;
  /** Left out: both kinds. */
  readonly only?: MediaKind;
  /** Can honestly shrink. A shrinking counter without this is left out of the sample. */
  readonly mayShrink?: boolean;
  /** Never shrinks unless the stream was reset: when it does, nothing is known of the stream's second. */
  readonly marksReset?: boolean;
}

export const inboundCounters: readonly MetricField<ReceiveMetric>[] = [
  { metric: 'bytesReceived', field: 'bytesReceived', marksReset: true },
  { metric: 'packetsReceived', field: 'packetsReceived', marksReset: true },
  { metric: 'packetsLost', field: 'packetsLost', mayShrink: true },
  { metric: 'resentPacketsReceived', field: 'retransmittedPacketsReceived', only: 'video' },
  { metric: 'packetsDiscarded', field: 'packetsDiscarded', only: 'audio' },
  { metric: 'framesReceived', field: 'framesReceived', only: 'video' },
  { metric: 'framesDecoded', field: 'framesDecoded', only: 'video' },
  { metric: 'framesDropped', field: 'framesDropped', only: 'video' },
  { metric: 'keyFramesDecoded', field: 'keyFramesDecoded', only: 'video' },
  { metric: 'freezes', field: 'freezeCount', only: 'video' },
  { metric: 'freezeMs', field: 'totalFreezesDuration', scale: 1000, only: 'video' },
  { metric: 'nacksSent', field: 'nackCount', only: 'video' },
  { metric: 'plisSent', field: 'pliCount', only: 'video' },
  { metric: 'concealedSamples', field: 'concealedSamples', only: 'audio' },
  { metric: 'silentConcealedSamples', field: 'silentConcealedSamples', only: 'audio' },
  { metric: 'totalSamples', field: 'totalSamplesReceived', only: 'audio' },
];

export const inboundGauges: readonly MetricField<ReceiveMetric>[] = [
  { metric: 'jitterMs', field: 'jitter', scale: 1000 },
  { metric: 'frameWidth', field: 'frameWidth', only: 'video' },
  { metric: 'frameHeight', field: 'frameHeight', only: 'video' },
  { metric: 'audioLevel', field: 'audioLevel', only: 'audio' },
];

export const outboundCounters: readonly MetricField<SendMetric>[] = [
  { metric: 'bytesSent', field: 'bytesSent', marksReset: true },
  { metric: 'packetsSent', field: 'packetsSent', marksReset: true },
  { metric: 'packetsResent', field: 'retransmittedPacketsSent' },
  { metric: 'framesEncoded', field: 'framesEncoded', only: 'video' },
  { metric: 'framesSent', field: 'framesSent', only: 'video' },
  { metric: 'keyFramesEncoded', field: 'keyFramesEncoded', only: 'video' },
  { metric: 'encodeMs', field: 'totalEncodeTime', scale: 1000, only: 'video' },
  { metric: 'nacksReceived', field: 'nackCount', only: 'video' },
  { metric: 'plisReceived', field: 'pliCount', only: 'video' },
];

export const outboundGauges: readonly MetricField<SendMetric>[] = [
  { metric: 'targetKbps', field: 'targetBitrate', scale: 0.001 },
  { metric: 'frameWidth', field: 'frameWidth', only: 'video' },
  { metric: 'frameHeight', field: 'frameHeight', only: 'video' },
];

export const sourceGauges: readonly MetricField<SendMetric>[] = [
  { metric: 'sourceFps', field: 'framesPerSecond', only: 'video' },
];

export const remoteCounters: readonly MetricField<SendMetric>[] = [
  { metric: 'remotePacketsLost', field: 'packetsLost', mayShrink: true },
];

export const remoteGauges: readonly MetricField<SendMetric>[] = [
  { metric: 'remoteJitterMs', field: 'jitter', scale: 1000 },
];
