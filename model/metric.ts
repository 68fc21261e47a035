import type { Direction, MediaKind } from './scenario.js';

/**
 * The metric catalogue: every number in a sample, its unit and the W3C webrtc-stats field it is read from. `delta`
 * counts what happened in this one second, `gauge` is the value at its end, `ratio` is a quotient of two deltas.
 */
type MetricForm = 'delta' | 'gauge' | 'ratio';

export interface MetricDefinition {
  readonly unit: 'count' | 'bytes' | 'ms' | 'ms²' | 'kbit/s' | 'px' | 'fps' | 'samples' | 'level';
  readonly form: MetricForm;
  readonly direction: Direction;
  readonly kinds: readonly MediaKind[];
  /** `type.field` of webrtc-stats; several joined by what is done with them. */
  readonly source: string;
  readonly about: string;
  /** How the page reads it, where that is not as its source, form and unit say. */
  readonly reading?: MetricReading;
}

/**
 * What the page makes of a counter that is lower than a second before. `may-shrink`: it is taken as it is.
 * `marks-reset`: the stream began anew, so nothing is known of its second. Without either, the value is left out.
 * `apart`: the page has code of its own.
 */
type MetricReading = 'may-shrink' | 'marks-reset' | 'apart';

const both: readonly MediaKind[] = ['audio', 'video'];
const video: readonly MediaKind[] = ['video'];
const audio: readonly MediaKind[] = ['audio'];

const receive = (
  unit: MetricDefinition['unit'],
  form: MetricForm,
  kinds: readonly MediaKind[],
  source: string,
  about: string,
  reading?: MetricReading,
): MetricDefinition => ({ unit, form, direction: 'receive', kinds, source, about, ...(reading ? { reading } : {}) });

const send = (
  unit: MetricDefinition['unit'],
  form: MetricForm,
  kinds: readonly MediaKind[],
  source: string,
  about: string,
  reading?: MetricReading,
): MetricDefinition => ({ unit, form, direction: 'send', kinds, source, about, ...(reading ? { reading } : {}) });

export const receiveMetrics = {
  bytesReceived: receive(
    'bytes',
    'delta',
    both,
    'inbound-rtp.bytesReceived',
    'RTP payload bytes, without headers',
    'marks-reset',
  ),
  packetsReceived: receive(
    'count',
    'delta',
    both,
    'inbound-rtp.packetsReceived',
    'RTP packets that arrived',
    'marks-reset',
  ),
  packetsLost: receive(
    'count',
    'delta',
    both,
    'inbound-rtp.packetsLost',
    'packets that did not come; below zero when late packets, or resent ones without an SSRC of their own, fill gaps (RFC 3550 A.3)',
    'may-shrink',
  ),
  resentPacketsReceived: receive(
    'count',
    'delta',
    video,
    'inbound-rtp.retransmittedPacketsReceived',
    'packets on the SSRC for resending, padding included; absent where none was negotiated (RFC 4588)',
  ),
  resentBytesReceived: receive(
    'bytes',
    'delta',
    video,
    'inbound-rtp.retransmittedBytesReceived',
    'payload bytes on that SSRC, which are part of bytesReceived',
  ),
  packetsDiscarded: receive(
    'count',
    'delta',
    audio,
    'inbound-rtp.packetsDiscarded',
    'arrived too late or too early to be played',
  ),
  jitterMs: receive('ms', 'gauge', both, 'inbound-rtp.jitter', 'interarrival jitter (RFC 3550 6.4.1)'),
  framesReceived: receive('count', 'delta', video, 'inbound-rtp.framesReceived', 'complete frames'),
  framesDecoded: receive('count', 'delta', video, 'inbound-rtp.framesDecoded', 'frames decoded'),
  framesDropped: receive('count', 'delta', video, 'inbound-rtp.framesDropped', 'frames dropped before they were shown'),
  keyFramesDecoded: receive('count', 'delta', video, 'inbound-rtp.keyFramesDecoded', 'key frames decoded'),
  frameWidth: receive('px', 'gauge', video, 'inbound-rtp.frameWidth', 'width of the last decoded frame'),
  frameHeight: receive('px', 'gauge', video, 'inbound-rtp.frameHeight', 'height of the last decoded frame'),
  freezes: receive('count', 'delta', video, 'inbound-rtp.freezeCount', 'freezes that ended in this second'),
  freezeMs: receive(
    'ms',
    'delta',
    video,
    'inbound-rtp.totalFreezesDuration',
    'length of the freezes that ended in this second; can exceed 1000',
  ),
  interFrameMs: receive(
    'ms',
    'delta',
    video,
    'inbound-rtp.totalInterFrameDelay',
    'time between frames, as they are decoded, in all',
  ),
  interFrameSquaredMs: receive(
    'ms²',
    'delta',
    video,
    'inbound-rtp.totalSquaredInterFrameDelay',
    'the squares of these times',
  ),
  qpSum: receive('count', 'delta', video, 'inbound-rtp.qpSum', 'quantisation parameters of the decoded frames'),
  nacksSent: receive('count', 'delta', video, 'inbound-rtp.nackCount', 'NACK packets sent for this stream'),
  plisSent: receive('count', 'delta', video, 'inbound-rtp.pliCount', 'PLI packets sent for this stream'),
  jitterBufferMs: receive(
    'ms',
    'ratio',
    both,
    'inbound-rtp.jitterBufferDelay / jitterBufferEmittedCount',
    'mean time in the jitter buffer of what left it in this second',
    'apart',
  ),
  concealedSamples: receive(
    'samples',
    'delta',
    audio,
    'inbound-rtp.concealedSamples',
    'audio samples made up for missing ones',
  ),
  silentConcealedSamples: receive(
    'samples',
    'delta',
    audio,
    'inbound-rtp.silentConcealedSamples',
    'concealed samples that are silence',
  ),
  concealmentEvents: receive(
    'count',
    'delta',
    audio,
    'inbound-rtp.concealmentEvents',
    'stretches of made-up sound that began in this second, whatever their length',
  ),
  totalSamples: receive(
    'samples',
    'delta',
    audio,
    'inbound-rtp.totalSamplesReceived',
    'audio samples played, concealed ones included',
  ),
  audioLevel: receive('level', 'gauge', audio, 'inbound-rtp.audioLevel', 'linear, 0 to 1'),
} as const satisfies Record<string, MetricDefinition>;

export const sendMetrics = {
  bytesSent: send(
    'bytes',
    'delta',
    both,
    'outbound-rtp.bytesSent',
    'RTP payload bytes, without headers, retransmissions included',
    'marks-reset',
  ),
  packetsSent: send(
    'count',
    'delta',
    both,
    'outbound-rtp.packetsSent',
    'RTP packets, retransmissions included',
    'marks-reset',
  ),
  packetsResent: send(
    'count',
    'delta',
    both,
    'outbound-rtp.retransmittedPacketsSent',
    'packets sent again after a NACK',
  ),
  targetKbps: send('kbit/s', 'gauge', both, 'outbound-rtp.targetBitrate', 'what congestion control allows the encoder'),
  framesEncoded: send('count', 'delta', video, 'outbound-rtp.framesEncoded', 'frames encoded'),
  framesSent: send('count', 'delta', video, 'outbound-rtp.framesSent', 'frames sent'),
  keyFramesEncoded: send('count', 'delta', video, 'outbound-rtp.keyFramesEncoded', 'key frames encoded'),
  framesReplaced: send(
    'count',
    'delta',
    video,
    'RTCRtpScriptTransform',
    'encoded probes: frames that went out as those of the clip, in order',
    'apart',
  ),
  encodeMs: send('ms', 'delta', video, 'outbound-rtp.totalEncodeTime', 'time spent encoding'),
  frameWidth: send('px', 'gauge', video, 'outbound-rtp.frameWidth', 'width of the last encoded frame'),
  frameHeight: send('px', 'gauge', video, 'outbound-rtp.frameHeight', 'height of the last encoded frame'),
  sourceFps: send('fps', 'gauge', video, 'media-source.framesPerSecond', 'frames the camera gave'),
  nacksReceived: send('count', 'delta', video, 'outbound-rtp.nackCount', 'NACK packets the server sent'),
  plisReceived: send('count', 'delta', video, 'outbound-rtp.pliCount', 'PLI packets the server sent'),
  remotePacketsLost: send(
    'count',
    'delta',
    both,
    'remote-inbound-rtp.packetsLost',
    'up-link loss since the report before, as the receiver reports of the server say',
    'may-shrink',
  ),
  remoteJitterMs: send('ms', 'gauge', both, 'remote-inbound-rtp.jitter', 'jitter that the server sees'),
  rttMs: send(
    'ms',
    'gauge',
    both,
    'remote-inbound-rtp.roundTripTime',
    'round trip from the receiver reports (RFC 3550 6.4.1), where a report measured a new one',
    'apart',
  ),
  roundTripsDropped: send(
    'count',
    'delta',
    both,
    'remote-inbound-rtp.roundTripTime',
    'round trips of reports that cannot be, and were left out',
    'apart',
  ),
} as const satisfies Record<string, MetricDefinition>;

export type ReceiveMetric = keyof typeof receiveMetrics;
export type SendMetric = keyof typeof sendMetrics;
export type StreamMetric = ReceiveMetric | SendMetric;

/** outbound-rtp.qualityLimitationReason. */
export type QualityLimitation = 'none' | 'cpu' | 'bandwidth' | 'other';
