import { sentStreams } from '../../model/expected-streams.js';
import type { ReceiveMetric, SendMetric } from '../../model/metric.js';
import { isPossibleRoundTrip } from '../../model/round-trip.js';
import type { StreamSample } from '../../model/sample.js';
import { type Leg, type MediaKind, type ReceivedStream, receivedStreams } from '../../model/scenario.js';
import {
  inboundCounters,
  inboundGauges,
  type MetricField,
  outboundCounters,
  outboundGauges,
  playoutCounters,
  remoteCounters,
  remoteGauges,
  sourceGauges,
} from './metric-fields.js';
import { putFramesAcross } from './new-ssrc.js';
import { asPictures, limitationOf } from './sent-pictures.js';
import {
  difference,
  entryAt,
  numberAt,
  readingTimeMs,
  type StatsEntry,
  type StatsReport,
  textAt,
} from './stats-report.js';
import { entriesOfStream, type StreamOfMid } from './stream-entries.js';

type Values<Metric extends string> = Partial<Record<Metric, number>>;

/** What getStats does not say of a leg. */
export interface LegFacts {
  /** How long it has lived: no round trip takes longer. */
  readonly ageMs: number;
  /** The kinds that are sent again on an SSRC of their own (RFC 4588), as negotiated; absent before that. */
  readonly rtx?: readonly MediaKind[];
  /** Absent where no stream has an id. */
  readonly streamOfMid?: StreamOfMid;
  /** Streams whose source was gone in some of the time between the readings. */
  readonly away?: ReadonlySet<string>;
  /** When the pictures of each media section became as wide as they are, by its mid, ms as in `timestamp`. */
  readonly newWidths?: ReadonlyMap<string, number>;
  /** Frames a second that the page asked of the camera with a track, by the track's id; absent: all that it gives. */
  readonly askedFps?: (trackId: string | undefined) => number | undefined;
  /** What its data channels say. */
  readonly messages?: readonly StreamSample[];
}

/** One leg from one reading to the next. */
interface LegReadings extends LegFacts {
  readonly id: string;
  readonly previous: StatsReport | undefined;
  readonly current: StatsReport;
}

/**
 * What happened on one leg between two readings: one sample for each stream that the leg should carry, with empty
 * `metrics` when getStats knows nothing of it. A stream that is new since `previous` has gauges only. A stream whose
 * SSRC changed (new stats id) or whose counters went back is `restarted`: the second's deltas are unknown, so absent.
 */
export function streamSamples(
  leg: Leg,
  previous: StatsReport | undefined,
  current: StatsReport,
  facts: LegFacts,
): readonly StreamSample[] {
  const readings: LegReadings = { id: leg.id, previous, current, ...facts };
  return [
    ...sentStreams(leg).map((sent) => sendSample(sent, readings)),
    ...receivedStreams(leg).map((received) => receiveSample(received, readings)),
    ...(facts.messages ?? []),
  ];
}

function receiveSample(
  received: ReceivedStream,
  { id: leg, previous, current, streamOfMid, away, newWidths }: LegReadings,
): StreamSample {
  const { kind, stream } = received;
  if (stream !== undefined && away?.has(stream))
    return { leg, direction: 'receive', kind, stream, metrics: {}, away: true };
  const now = freshest(entriesOfStream(current, 'inbound-rtp', received, streamOfMid));
  const before = previous && freshest(entriesOfStream(previous, 'inbound-rtp', received, streamOfMid));
  const restarted = isRestarted(before, now, inboundCounters[kind]);
  const metrics: Values<ReceiveMetric> = {};
  putGauges(metrics, now, inboundGauges[kind]);
  if (kind === 'video') {
    const sounds = entriesOfStream(current, 'inbound-rtp', { kind: 'audio', stream }, streamOfMid);
    putPlayedLater(metrics, now, freshest(sounds));
  }
  if (before && now && !restarted) {
    putDeltas(metrics, before, now, inboundCounters[kind]);
    putJitterBuffer(metrics, before, now);
    const played = [previous ?? current, current].map((report) => entryAt(report, now, 'playoutId'));
    putDeltas(metrics, played[0], played[1], playoutCounters[kind]);
  } else if (kind === 'video' && previous && before && now && before.id !== now.id)
    putFramesAcross(metrics, { previous, before, current, now });
  const sinceMs = before?.timestamp ?? (previous && readingTimeMs(previous));
  if (kind === 'video' && now && sinceMs !== undefined) putNewWidth(metrics, sinceMs, now, newWidths);
  return {
    leg,
    direction: 'receive',
    kind,
    ...(stream === undefined ? {} : { stream }),
    metrics,
    ...(textAt(now, 'contentType') === 'screenshare' ? { screen: true } : {}),
    ...(restarted ? { restarted: true } : {}),
  };
}

function sendSample(
  sent: ReturnType<typeof sentStreams>[number],
  { id: leg, previous, current, ageMs, rtx, askedFps }: LegReadings,
): StreamSample {
  const { kind, stream } = sent;
  const of = (report: StatsReport) => entriesOfStream(report, 'outbound-rtp', sent);
  const now = freshest(of(current));
  if (stream !== undefined && now?.active === false)
    return { leg, direction: 'send', ...sent, metrics: {}, paused: true };
  const before = previous && freshest(of(previous));
  const restarted = isRestarted(before, now, outboundCounters[kind]);
  const metrics: Values<SendMetric> = {};
  putGauges(metrics, now, outboundGauges[kind]);
  const source = entryAt(current, now, 'mediaSourceId');
  putGauges(metrics, source, sourceGauges[kind]);
  const asked = kind === 'video' ? askedFps?.(source && textAt(source, 'trackIdentifier')) : undefined;
  if (asked !== undefined) metrics.askedFps = asked;
  if (!restarted) putDeltas(metrics, before, now, outboundCounters[kind]);
  asPictures(metrics, now, source);
  const report = newReport(previous && entryAt(previous, before, 'remoteId'), entryAt(current, now, 'remoteId'));
  putGauges(metrics, report.now, remoteGauges[kind]);
  putReportedRoundTrip(metrics, report, ageMs);
  putDeltas(metrics, report.before, report.now, remoteCounters[kind]);
  const limitation = kind === 'video' ? limitationOf(now) : undefined;
  return {
    leg,
    direction: 'send',
    ...sent,
    metrics,
    ...(limitation ? { qualityLimitation: limitation } : {}),
    ...(rtx ? { rtx: rtx.includes(kind) } : {}),
    ...(restarted ? { restarted: true } : {}),
  };
}

/** With two entries of one stream (its SSRC changed and the old one lingers), the one that heard something last. */
function freshest(entries: readonly StatsEntry[]): StatsEntry | undefined {
  const freshness = (entry: StatsEntry): number => numberAt(entry, 'lastPacketReceivedTimestamp') ?? 0;
  return entries.reduce<StatsEntry | undefined>(
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
  return counters.some(({ field, reading }) => {
    const delta = difference(before, now, field);
    return reading === 'marks-reset' && delta !== undefined && delta < 0;
  });
}

function putGauges<Metric extends string>(
  into: Values<Metric>,
  entry: StatsEntry | undefined,
  fields: readonly MetricField<Metric>[],
): void {
  putValues(into, fields, ({ field }) => numberAt(entry, field));
}

function putDeltas<Metric extends string>(
  into: Values<Metric>,
  before: StatsEntry | undefined,
  now: StatsEntry | undefined,
  fields: readonly MetricField<Metric>[],
): void {
  if (!before || !now) return;
  putValues(into, fields, ({ field, reading }) => {
    const delta = difference(before, now, field);
    return delta !== undefined && (delta >= 0 || reading === 'may-shrink') ? delta : undefined;
  });
}

/** Into an object that is there: to put together what others were made of leaves as much garbage again. */
function putValues<Metric extends string>(
  into: Values<Metric>,
  fields: readonly MetricField<Metric>[],
  read: (field: MetricField<Metric>) => number | undefined,
): void {
  for (const field of fields) {
    const value = read(field);
    if (value !== undefined) into[field.metric] = value * field.scale;
  }
}

function putNewWidth(
  into: Values<'newWidthMs'>,
  sinceMs: number,
  now: StatsEntry,
  newWidths: LegFacts['newWidths'],
): void {
  const becameMs = newWidths?.get(textAt(now, 'mid') ?? '') ?? sinceMs;
  if (becameMs > sinceMs) into.newWidthMs = Math.max(0, now.timestamp - becameMs);
}

/** Both times are by the sender's clock, of what is played now: where sound is later, it is of an earlier time. */
function putPlayedLater(into: Values<'soundPlayedLaterMs'>, picture?: StatsEntry, sound?: StatsEntry): void {
  const [shownMs, heardMs] = [picture, sound].map((entry) => numberAt(entry, 'estimatedPlayoutTimestamp'));
  if (shownMs !== undefined && heardMs !== undefined) into.soundPlayedLaterMs = shownMs - heardMs;
}

/** `jitterBufferDelay` is the sum of seconds that everything emitted has waited; their quotient is the mean wait. */
function putJitterBuffer(into: Values<'jitterBufferMs'>, before: StatsEntry, now: StatsEntry): void {
  const waitedSeconds = difference(before, now, 'jitterBufferDelay');
  const emitted = difference(before, now, 'jitterBufferEmittedCount');
  if (waitedSeconds === undefined || emitted === undefined) return;
  if (emitted > 0 && waitedSeconds >= 0) into.jitterBufferMs = (waitedSeconds / emitted) * 1000;
}

/** A receiver report of the server (`remote-inbound-rtp`), with the one before of the same stream. */
interface ReceiverReport {
  readonly before?: StatsEntry | undefined;
  readonly now?: StatsEntry | undefined;
}

/** They come every second or few: in a second without one the metrics are absent, and the next delta spans the gap. */
function newReport(before: StatsEntry | undefined, now: StatsEntry | undefined): ReceiverReport {
  if (before?.id !== now?.id) return { now };
  return before?.timestamp === now?.timestamp ? {} : { before, now };
}

/** A report that names no sender report measures nothing: `roundTripTime` is then still that of an earlier one. */
function putReportedRoundTrip(
  into: Values<'rttMs' | 'roundTripsDropped'>,
  { before, now }: ReceiverReport,
  ageMs: number,
): void {
  const seconds = numberAt(now, 'roundTripTime');
  if (!now || seconds === undefined || (before && difference(before, now, 'roundTripTimeMeasurements') === 0)) return;
  const rttMs = seconds * 1000;
  const isPossible = isPossibleRoundTrip(rttMs, ageMs);
  if (isPossible) into.rttMs = rttMs;
  into.roundTripsDropped = isPossible ? 0 : 1;
}
