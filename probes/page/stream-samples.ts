import type { QualityLimitation, ReceiveMetric, SendMetric } from '../../model/metric.js';
import type { LegSample, StreamSample } from '../../model/sample.js';
import type { Leg, MediaKind } from '../../model/scenario.js';
import {
  inboundCounters,
  inboundGauges,
  type MetricField,
  outboundCounters,
  outboundGauges,
  remoteCounters,
  remoteGauges,
  sourceGauges,
} from './metric-fields.js';
import { selectedPair } from './route.js';
import { entriesOf, entryAt, numberAt, type StatsEntry, type StatsReport, textAt } from './stats-report.js';

type Values<Metric extends string> = Partial<Record<Metric, number>>;

/**
 * What happened on one leg between two readings: one sample for each stream that the leg should carry, with empty
 * `metrics` when getStats knows nothing of it. A stream that is new since `previous` has gauges only. A stream whose
 * SSRC changed (new stats id) or whose counters went back is `restarted`: the second's deltas are unknown, so absent.
 */
export function streamSamples(
  leg: Leg,
  previous: StatsReport | undefined,
  current: StatsReport,
): readonly StreamSample[] {
  return [
    ...leg.sends.map((kind) => sendSample(leg.id, kind, previous, current)),
    ...leg.receives.map((kind) => receiveSample(leg.id, kind, previous, current)),
  ];
}

function receiveSample(
  leg: string,
  kind: MediaKind,
  previous: StatsReport | undefined,
  current: StatsReport,
): StreamSample {
  const now = streamOf(current, 'inbound-rtp', kind);
  const before = previous && streamOf(previous, 'inbound-rtp', kind);
  const restarted = isRestarted(before, now, inboundCounters);
  const metrics: Values<ReceiveMetric> = gauges(now, inboundGauges, kind);
  if (before && now && !restarted) {
    Object.assign(metrics, deltas(before, now, inboundCounters, kind), jitterBuffer(before, now));
  }
  return { leg, direction: 'receive', kind, metrics, ...(restarted ? { restarted: true } : {}) };
}

function sendSample(
  leg: string,
  kind: MediaKind,
  previous: StatsReport | undefined,
  current: StatsReport,
): StreamSample {
  const now = streamOf(current, 'outbound-rtp', kind);
  const before = previous && streamOf(previous, 'outbound-rtp', kind);
  const restarted = isRestarted(before, now, outboundCounters);
  const metrics: Values<SendMetric> = {
    ...gauges(now, outboundGauges, kind),
    ...gauges(entryAt(current, now, 'mediaSourceId'), sourceGauges, kind),
  };
  if (before && now && !restarted) Object.assign(metrics, deltas(before, now, outboundCounters, kind));
  Object.assign(metrics, remoteMetrics(previous, current, before, now, kind));
  const limitation = kind === 'video' ? limitationOf(now) : undefined;
  return {
    leg,
    direction: 'send',
    kind,
    metrics,
    ...(limitation ? { qualityLimitation: limitation } : {}),
    ...(restarted ? { restarted: true } : {}),
  };
}

/** With two streams of a kind (an SSRC changed and the old one lingers), the one that heard something last. */
function streamOf(report: StatsReport, type: string, kind: MediaKind): StatsEntry | undefined {
  const freshness = (entry: StatsEntry): number => numberAt(entry, 'lastPacketReceivedTimestamp') ?? 0;
  return entriesOf(report, type)
    .filter((entry) => entry.kind === kind)
    .reduce<StatsEntry | undefined>(
      (best, entry) => (best === undefined || freshness(entry) > freshness(best) ? entry : best),
      undefined,
    );
}

function isRestarted<Metric>(
  before: StatsEntry | undefined,
  now: StatsEntry | undefined,
  counters: readonly MetricField<Metric>[],
): boolean {
  if (!before || !now) return false;
  if (before.id !== now.id) return true;
  return counters.some(({ field, marksReset }) => {
    const delta = difference(before, now, field);
    return marksReset === true && delta !== undefined && delta < 0;
  });
}

function gauges<Metric extends string>(
  entry: StatsEntry | undefined,
  fields: readonly MetricField<Metric>[],
  kind: MediaKind,
): Values<Metric> {
  return valuesOf(fields, kind, ({ field }) => numberAt(entry, field));
}

function deltas<Metric extends string>(
  before: StatsEntry,
  now: StatsEntry,
  fields: readonly MetricField<Metric>[],
  kind: MediaKind,
): Values<Metric> {
  return valuesOf(fields, kind, ({ field, mayShrink }) => {
    const delta = difference(before, now, field);
    return delta !== undefined && (delta >= 0 || mayShrink) ? delta : undefined;
  });
}

function difference(before: StatsEntry, now: StatsEntry, field: string): number | undefined {
  const [from, to] = [numberAt(before, field), numberAt(now, field)];
  return from === undefined || to === undefined ? undefined : to - from;
}

function valuesOf<Metric extends string>(
  fields: readonly MetricField<Metric>[],
  kind: MediaKind,
  read: (field: MetricField<Metric>) => number | undefined,
): Values<Metric> {
  const values: Values<Metric> = {};
  for (const field of fields) {
    const value = field.only === undefined || field.only === kind ? read(field) : undefined;
    if (value !== undefined) Object.assign(values, { [field.metric]: value * (field.scale ?? 1) });
  }
  return values;
}

/** `jitterBufferDelay` is the sum of seconds that everything emitted has waited; their quotient is the mean wait. */
function jitterBuffer(before: StatsEntry, now: StatsEntry): Values<'jitterBufferMs'> {
  const waitedSeconds = difference(before, now, 'jitterBufferDelay');
  const emitted = difference(before, now, 'jitterBufferEmittedCount');
  if (waitedSeconds === undefined || emitted === undefined) return {};
  return emitted > 0 && waitedSeconds >= 0 ? { jitterBufferMs: (waitedSeconds / emitted) * 1000 } : {};
}

/**
 * What the receiver reports of the server say of our stream (`remote-inbound-rtp`). They come every second or few; in a
 * second without one the metrics are absent, and the next delta spans the gap.
 */
function remoteMetrics(
  previous: StatsReport | undefined,
  current: StatsReport,
  sentBefore: StatsEntry | undefined,
  sentNow: StatsEntry | undefined,
  kind: MediaKind,
): Values<SendMetric> {
  const now = entryAt(current, sentNow, 'remoteId');
  const before = previous && entryAt(previous, sentBefore, 'remoteId');
  if (!now || (before?.id === now.id && before.timestamp === now.timestamp)) return {};
  return {
    ...gauges(now, remoteGauges, kind),
    ...(before?.id === now.id ? deltas(before, now, remoteCounters, kind) : {}),
  };
}

const limitations: readonly string[] = ['none', 'cpu', 'bandwidth', 'other'] satisfies QualityLimitation[];

function limitationOf(entry: StatsEntry | undefined): QualityLimitation | undefined {
  const reason = textAt(entry, 'qualityLimitationReason');
  return limitations.includes(reason ?? '') ? (reason as QualityLimitation) : undefined;
}

/** The transport of a leg: its selected candidate pair (webrtc-stats transport.selectedCandidatePairId). */
export function legSample(leg: string, connectionState: string, report: StatsReport): LegSample {
  const { pair, local } = selectedPair(report);
  const rtt = numberAt(pair, 'currentRoundTripTime');
  const outgoing = numberAt(pair, 'availableOutgoingBitrate');
  const incoming = numberAt(pair, 'availableIncomingBitrate');
  const type = textAt(local, 'candidateType');
  const protocol = textAt(local, 'protocol');
  const relayProtocol = textAt(local, 'relayProtocol');
  return {
    leg,
    connectionState,
    ...(rtt === undefined ? {} : { rttMs: rtt * 1000 }),
    ...(outgoing === undefined ? {} : { availableOutgoingKbps: outgoing / 1000 }),
    ...(incoming === undefined ? {} : { availableIncomingKbps: incoming / 1000 }),
    ...(type === undefined ? {} : { localCandidateType: type }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(relayProtocol === undefined ? {} : { relayProtocol }),
  };
}
