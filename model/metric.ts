import { cameraRows } from './camera-metrics.js';
import { drawnFrameRows, markRows } from './mark-metrics.js';
import { comparedRows, playoutRows } from './player-metrics.js';
import type { Direction, StreamKind } from './scenario.js';

/**
 * The metric catalogue: every number in a sample, its unit and the W3C webrtc-stats field it is read from. `delta`
 * counts what happened in this one second, `gauge` is the value at its end, `ratio` is a quotient of two deltas.
 */
type MetricForm = 'delta' | 'gauge' | 'ratio';

type QualityUnit = 'SSIM' | 'VMAF' | 'dB';

export interface MetricDefinition {
  readonly unit: 'count' | 'bytes' | 'ms' | 'ms²' | 'kbit/s' | 'px' | 'fps' | 'samples' | 'level' | QualityUnit;
  readonly form: MetricForm;
  readonly direction: Direction;
  readonly kinds: readonly StreamKind[];
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

const both: readonly StreamKind[] = ['audio', 'video'];
const video: readonly StreamKind[] = ['video'];
const audio: readonly StreamKind[] = ['audio'];
const data = { kinds: ['data'], source: 'messages on the data channel', reading: 'apart' } as const;
const turns = 'turns of the probe';

/** What differs from a count of what happened in one second that getStats has under the metric's own name. */
type Row = Pick<MetricDefinition, 'kinds' | 'about'> & Partial<Omit<MetricDefinition, 'direction'>>;

function catalogue<Name extends string>(direction: Direction, type: string, rows: Readonly<Record<Name, Row>>) {
  const each = Object.entries<Row>(rows).map(([name, row]) => {
    return [name, { unit: 'count', form: 'delta', direction, source: `${type}.${name}`, ...row }];
  });
  return Object.fromEntries(each) as Readonly<Record<Name, MetricDefinition>>;
}

export const receiveMetrics = catalogue('receive', 'inbound-rtp', {
  bytesReceived: { unit: 'bytes', kinds: both, about: 'RTP payload bytes, without headers', reading: 'marks-reset' },
  packetsReceived: { kinds: both, about: 'RTP packets that arrived', reading: 'marks-reset' },
  packetsLost: {
    kinds: both,
    about:
      'packets that did not come; below zero when late packets, or resent ones without an SSRC of their own, fill gaps (RFC 3550 A.3)',
    reading: 'may-shrink',
  },
  resentPacketsReceived: {
    kinds: video,
    source: 'inbound-rtp.retransmittedPacketsReceived',
    about: 'packets on the SSRC for resending, padding included; absent where none was negotiated (RFC 4588)',
  },
  resentBytesReceived: {
    unit: 'bytes',
    kinds: video,
    source: 'inbound-rtp.retransmittedBytesReceived',
    about: 'payload bytes on that SSRC, which are part of bytesReceived',
  },
  packetsDiscarded: { kinds: audio, about: 'arrived too late or too early to be played' },
  jitterMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: both,
    source: 'inbound-rtp.jitter',
    about: 'interarrival jitter (RFC 3550 6.4.1)',
  },
  framesReceived: { kinds: video, about: 'complete frames' },
  framesDecoded: { kinds: video, about: 'frames decoded' },
  framesDropped: { kinds: video, about: 'frames dropped before they were shown' },
  keyFramesDecoded: { kinds: video, about: 'key frames decoded' },
  frameWidth: { unit: 'px', form: 'gauge', kinds: video, about: 'width of the last decoded frame' },
  frameHeight: { unit: 'px', form: 'gauge', kinds: video, about: 'height of the last decoded frame' },
  newWidthMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: video,
    source: 'resize of the video element',
    about: 'how long before the end of this second frames became as wide as they are; absent where they were before',
    reading: 'apart',
  },
  freezes: { kinds: video, source: 'inbound-rtp.freezeCount', about: 'freezes that ended in this second' },
  freezeMs: {
    unit: 'ms',
    kinds: video,
    source: 'inbound-rtp.totalFreezesDuration',
    about: 'length of the freezes that ended in this second; can exceed 1000',
  },
  interFrameMs: {
    unit: 'ms',
    kinds: video,
    source: 'inbound-rtp.totalInterFrameDelay',
    about: 'time between frames, as they are decoded, in all',
  },
  interFrameSquaredMs: {
    unit: 'ms²',
    kinds: video,
    source: 'inbound-rtp.totalSquaredInterFrameDelay',
    about: 'the squares of these times',
  },
  ...markRows,
  soundPlayedLaterMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: video,
    source: 'inbound-rtp.estimatedPlayoutTimestamp',
    about: 'by how much later the sound of the same source is played than its pictures; below 0 where earlier',
    reading: 'apart',
  },
  ...comparedRows,
  qpSum: { kinds: video, about: 'quantisation parameters of the decoded frames' },
  nacksSent: { kinds: video, source: 'inbound-rtp.nackCount', about: 'NACK packets sent for this stream' },
  plisSent: { kinds: video, source: 'inbound-rtp.pliCount', about: 'PLI packets sent for this stream' },
  jitterBufferMs: {
    unit: 'ms',
    form: 'ratio',
    kinds: both,
    source: 'inbound-rtp.jitterBufferDelay / jitterBufferEmittedCount',
    about: 'mean time in the jitter buffer of what left it in this second',
    reading: 'apart',
  },
  concealedSamples: { unit: 'samples', kinds: audio, about: 'audio samples made up for missing ones' },
  silentConcealedSamples: { unit: 'samples', kinds: audio, about: 'concealed samples that are silence' },
  concealmentEvents: {
    kinds: audio,
    about: 'stretches of made-up sound that began in this second, whatever their length',
  },
  totalSamples: {
    unit: 'samples',
    kinds: audio,
    source: 'inbound-rtp.totalSamplesReceived',
    about: 'audio samples played, concealed ones included',
  },
  insertedSamples: {
    unit: 'samples',
    kinds: audio,
    source: 'inbound-rtp.insertedSamplesForDeceleration',
    about: 'audio samples that slower play-out inserted',
  },
  removedSamples: {
    unit: 'samples',
    kinds: audio,
    source: 'inbound-rtp.removedSamplesForAcceleration',
    about: 'audio samples that faster play-out removed',
  },
  audioLevel: { unit: 'level', form: 'gauge', kinds: audio, about: 'linear, 0 to 1' },
  ...playoutRows,
  questions: { kinds: audio, source: turns, about: 'questions to this voice that came to an end', reading: 'apart' },
  unansweredQuestions: { kinds: audio, source: turns, about: 'those without an answer in 5 s', reading: 'apart' },
  interruptedQuestions: { kinds: audio, source: turns, about: 'those that it spoke into', reading: 'apart' },
  answerMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: audio,
    source: turns,
    about: 'from the last sound of a question to the first of the answer that began in this second',
    reading: 'apart',
  },
  messagesReceived: { ...data, about: 'messages of this sender that came, each once' },
  messagesLost: {
    ...data,
    about: 'messages that were not there 2 s after they were due; one that comes later stays lost',
  },
  messagesRepeated: { ...data, about: 'messages that had come before' },
});

export const sendMetrics = catalogue('send', 'outbound-rtp', {
  bytesSent: {
    unit: 'bytes',
    kinds: both,
    about: 'RTP payload bytes, without headers, retransmissions included',
    reading: 'marks-reset',
  },
  packetsSent: { kinds: both, about: 'RTP packets, retransmissions included', reading: 'marks-reset' },
  packetsResent: {
    kinds: both,
    source: 'outbound-rtp.retransmittedPacketsSent',
    about: 'packets sent again after a NACK',
  },
  targetKbps: {
    unit: 'kbit/s',
    form: 'gauge',
    kinds: both,
    source: 'outbound-rtp.targetBitrate',
    about: 'what congestion control allows the encoder',
  },
  framesEncoded: { kinds: video, about: 'frames encoded' },
  framesSent: { kinds: video, about: 'frames sent' },
  keyFramesEncoded: { kinds: video, about: 'key frames encoded' },
  framesReplaced: {
    kinds: video,
    source: 'RTCRtpScriptTransform',
    about: 'encoded probes: frames that went out as those of the clip, in order',
    reading: 'apart',
  },
  ...drawnFrameRows,
  encodeMs: { unit: 'ms', kinds: video, source: 'outbound-rtp.totalEncodeTime', about: 'time spent encoding' },
  frameWidth: { unit: 'px', form: 'gauge', kinds: video, about: 'width of the last encoded frame' },
  frameHeight: { unit: 'px', form: 'gauge', kinds: video, about: 'height of the last encoded frame' },
  ...cameraRows,
  nacksReceived: { kinds: video, source: 'outbound-rtp.nackCount', about: 'NACK packets the server sent' },
  plisReceived: { kinds: video, source: 'outbound-rtp.pliCount', about: 'PLI packets the server sent' },
  remotePacketsLost: {
    kinds: both,
    source: 'remote-inbound-rtp.packetsLost',
    about: 'up-link loss since the report before, as the receiver reports of the server say',
    reading: 'may-shrink',
  },
  remoteJitterMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: both,
    source: 'remote-inbound-rtp.jitter',
    about: 'jitter that the server sees',
  },
  rttMs: {
    unit: 'ms',
    form: 'gauge',
    kinds: both,
    source: 'remote-inbound-rtp.roundTripTime',
    about: 'round trip from the receiver reports (RFC 3550 6.4.1), where a report measured a new one',
    reading: 'apart',
  },
  roundTripsDropped: {
    kinds: both,
    source: 'remote-inbound-rtp.roundTripTime',
    about: 'round trips of reports that cannot be, and were left out',
    reading: 'apart',
  },
  messagesSent: { ...data, about: 'messages handed to the data channel' },
});

export type ReceiveMetric = keyof typeof receiveMetrics;
export type SendMetric = keyof typeof sendMetrics;
export type StreamMetric = ReceiveMetric | SendMetric;

/** outbound-rtp.qualityLimitationReason. */
export type QualityLimitation = 'none' | 'cpu' | 'bandwidth' | 'other';
