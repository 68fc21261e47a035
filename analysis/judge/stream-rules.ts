import type { Aggregates } from '../../model/aggregate.js';
import type { Network } from '../../model/network.js';
import type { Media, Thresholds, Timing } from '../../model/plan.js';
import type { Baseline } from '../../model/trial.js';
import type { OfLink, ThresholdResult, UnstableCode } from '../../model/verdict.js';
import { entryBetween, sourceNetwork } from '../measure/baseline-key.js';
import { judgedFrozen } from '../measure/frozen.js';
import type { ExpectedStream } from '../measure/window.js';
import { numberNear, plural, streamPhrase } from '../wording/wording.js';

/** What stream rules measure against. */
export interface StreamMeasure {
  readonly thresholds: Thresholds;
  readonly baseline: Baseline | null;
  readonly media: Media;
  readonly timing?: Timing;
  /** Frames per second of a picture that the server mixes; absent: the cameras'. */
  readonly mixedFps?: number | undefined;
  /** Whose loss and delay is the link's; absent: limits hold as they are written. */
  readonly networks?: readonly Network[] | undefined;
}

/** One expected stream and what was measured of it. */
export interface StreamSubject {
  readonly stream: ExpectedStream;
  readonly values: Aggregates;
}

/** One threshold, for every stream it applies to. */
export interface StreamRule {
  readonly code: UnstableCode;
  /** What it limits, in the names of the catalogue: a plan's own rule on the same replaces it. */
  readonly subject: { readonly aggregate: string; readonly ofBaseline: boolean };
  readonly label: string;
  readonly unit: string;
  readonly comparison: ThresholdResult['comparison'];
  /** Whether it is a rule for this stream. */
  readonly concerns: (stream: ExpectedStream, measure: StreamMeasure) => boolean;
  /** False for what only some servers report: where it is absent there is nothing to judge. Else absent is void. */
  readonly mustBeMeasured: (stream: ExpectedStream) => boolean;
  readonly limit: (thresholds: Thresholds) => number;
  readonly value: (subject: StreamSubject, measure: StreamMeasure) => number | undefined;
  /** What of the value is its link's; `undefined` where the value is as it was measured. */
  readonly ofLink?: (subject: StreamSubject, measure: StreamMeasure) => OfLink | undefined;
  /** The sentence after the probe's name, without its limit: "received video from 3a at 12 fps, …". */
  readonly phrase: (subject: StreamSubject, value: number, measure: StreamMeasure) => string;
}

const received = (stream: ExpectedStream) => stream.direction === 'receive';
const video = (stream: ExpectedStream) => stream.kind === 'video';
const audio = (stream: ExpectedStream) => stream.kind === 'audio';
const always = () => true;

export const baselineOfStream = (
  { participant, leg, direction, kind }: ExpectedStream,
  { baseline }: StreamMeasure,
) => {
  const source = sourceNetwork(direction, leg.from, participant.network);
  return baseline
    ? entryBetween(baseline, [participant.role, direction, kind], participant.network, source)
    : undefined;
};

function expectedFps(stream: ExpectedStream, measure: StreamMeasure): number | undefined {
  if (measure.baseline) return baselineOfStream(stream, measure)?.fps;
  return sourceFps(stream, measure);
}

/** Frames per second that a stream should have where nothing was measured yet: the camera's, or of a mix the server's own. */
export function sourceFps({ direction, leg }: ExpectedStream, { mixedFps, media }: StreamMeasure): number {
  const mixed = direction === 'receive' && leg.from !== undefined && 'mix' in leg.from;
  return (mixed ? mixedFps : undefined) ?? media.framesPerSecond;
}

function shareOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : (100 * part) / whole;
}

/** In percent; of bitrate and frame rate, which are all that a baseline keeps for this. */
export function shareOfBaseline(aggregate: string, subject: StreamSubject, measure: StreamMeasure): number | undefined {
  const { stream, values } = subject;
  if (aggregate === 'fps') return shareOf(values.fps, expectedFps(stream, measure));
  return shareOf(values.bitrateKbps, baselineOfStream(stream, measure)?.bitrateKbps);
}

const lossPhrase = (span: string) => (subject: StreamSubject, value: number, limit: number) => {
  const { stream } = subject;
  const percent = `${numberNear(value, limit)} %`;
  return stream.direction === 'send'
    ? `lost ${percent} of the ${stream.kind} it sent on the way to the server${span}`
    : `lost ${percent} of the ${streamPhrase(stream).replace('received ', '')} on the way from the server${span}`;
};

const frozenShares = {
  window: 'of the time',
  minute: 'of a minute',
  'window-without-longest': 'of the time beside its longest freeze',
} as const;

/** "2.5 % of a minute: 1.5 s in 2 freezes, the longest 0.9 s": of what the value is a share, and what it is made of. */
function frozenPhrase(values: Aggregates, value: number, limit: number): string {
  const { frozenMs, freezes, longestFreezeMs } = values;
  const share = `${numberNear(value, limit)} % ${frozenShares[judgedFrozen(values)?.of ?? 'window']}`;
  if (frozenMs === undefined) return share;
  const seconds = (ms: number) => `${numberNear(ms / 1000)} s`;
  const inFreezes = freezes === undefined || freezes === 0 ? '' : ` in ${plural(freezes, 'freeze')}`;
  const several = longestFreezeMs !== undefined && longestFreezeMs < frozenMs;
  return `${share}: ${seconds(frozenMs)}${inFreezes}${several ? `, the longest ${seconds(longestFreezeMs)}` : ''}`;
}

export const streamRules: readonly StreamRule[] = [
  {
    code: 'low-bitrate',
    subject: { aggregate: 'bitrateKbps', ofBaseline: true },
    label: 'bitrate, of the baseline',
    unit: '%',
    comparison: 'at-least',
    concerns: (_, { baseline }) => baseline !== null,
    mustBeMeasured: always,
    limit: (thresholds) => thresholds.bitratePercentOfBaselineMin,
    value: (subject, measure) => shareOfBaseline('bitrateKbps', subject, measure),
    phrase: ({ stream, values }, value, measure) =>
      `${streamPhrase(stream)} at ${numberNear(values.bitrateKbps ?? 0)} kbit/s, ${numberNear(value, measure.thresholds.bitratePercentOfBaselineMin)} % of the baseline's ${numberNear(baselineOfStream(stream, measure)?.bitrateKbps ?? 0)}`,
  },
  {
    code: 'low-frame-rate',
    subject: { aggregate: 'fps', ofBaseline: true },
    label: 'frame rate, of the baseline',
    unit: '%',
    comparison: 'at-least',
    concerns: video,
    mustBeMeasured: always,
    limit: (thresholds) => thresholds.framesPercentOfBaselineMin,
    value: (subject, measure) => shareOfBaseline('fps', subject, measure),
    phrase: ({ stream, values }, value, measure) => {
      const whose = measure.baseline ? "the baseline's" : 'the expected';
      return `${streamPhrase(stream)} at ${numberNear(values.fps ?? 0)} fps, ${numberNear(value, measure.thresholds.framesPercentOfBaselineMin)} % of ${whose} ${numberNear(expectedFps(stream, measure) ?? 0)}`;
    },
  },
  {
    code: 'video-loss',
    subject: { aggregate: 'lossPercent', ofBaseline: false },
    label: 'video loss after resending, mean',
    unit: '%',
    comparison: 'at-most',
    concerns: video,
    mustBeMeasured: received,
    limit: (thresholds) => thresholds.videoLossPercentMax,
    value: ({ values }) => values.lossPercent,
    phrase: (subject, value, { thresholds }) => lossPhrase('')(subject, value, thresholds.videoLossPercentMax),
  },
  {
    code: 'video-loss-burst',
    subject: { aggregate: 'worstLossPercent5s', ofBaseline: false },
    label: 'video loss after resending, worst 5 s',
    unit: '%',
    comparison: 'at-most',
    concerns: video,
    mustBeMeasured: received,
    limit: (thresholds) => thresholds.videoLossBurstPercentMax,
    value: ({ values }) => values.worstLossPercent5s,
    phrase: (subject, value, { thresholds }) =>
      lossPhrase(' in its worst 5 s')(subject, value, thresholds.videoLossBurstPercentMax),
  },
  {
    code: 'audio-loss',
    subject: { aggregate: 'lossPercent', ofBaseline: false },
    label: 'audio loss, mean',
    unit: '%',
    comparison: 'at-most',
    concerns: audio,
    mustBeMeasured: received,
    limit: (thresholds) => thresholds.audioLossPercentMax,
    value: ({ values }) => values.lossPercent,
    phrase: (subject, value, { thresholds }) => lossPhrase('')(subject, value, thresholds.audioLossPercentMax),
  },
  {
    code: 'jitter',
    subject: { aggregate: 'jitterMs', ofBaseline: false },
    // RFC 3550 6.4.1 takes differences from one timestamp to the next, so the same delays are more jitter the further
    // apart those are: a limit in milliseconds is one for packets of sound, 20 ms apart (docs/measuring.md, "Jitter").
    label: 'audio jitter, mean',
    unit: 'ms',
    comparison: 'at-most',
    concerns: (stream) => received(stream) && audio(stream),
    mustBeMeasured: always,
    limit: (thresholds) => thresholds.jitterMsMax,
    value: ({ values }) => values.jitterMs,
    phrase: ({ stream }, value, { thresholds }) =>
      `${streamPhrase(stream)} with ${numberNear(value, thresholds.jitterMsMax)} ms of jitter`,
  },
  {
    code: 'frozen',
    subject: { aggregate: 'frozenPercent', ofBaseline: false },
    label: 'time frozen',
    unit: '%',
    comparison: 'at-most',
    concerns: (stream) => received(stream) && video(stream),
    mustBeMeasured: always,
    limit: (thresholds) => thresholds.frozenPercentMax,
    value: ({ values }) => judgedFrozen(values)?.percent,
    phrase: ({ stream, values }, value, { thresholds }) =>
      `${streamPhrase(stream)} that stood still ${frozenPhrase(values, value, thresholds.frozenPercentMax)}`,
  },
  {
    code: 'audio-quality',
    subject: { aggregate: 'mos', ofBaseline: false },
    label: 'audio MOS',
    unit: 'MOS',
    comparison: 'at-least',
    concerns: (stream) => received(stream) && audio(stream),
    mustBeMeasured: always,
    limit: (thresholds) => thresholds.mosMin,
    value: ({ values }) => values.mos,
    phrase: ({ stream }, value, { thresholds }) =>
      `${streamPhrase(stream)} at an estimated MOS of ${numberNear(value, thresholds.mosMin)}`,
  },
];

/** One for each leg, whatever it carries: the worse of the transport's own round trip and that of the media reports. */
export const roundTrip = {
  code: 'round-trip',
  label: 'round trip, mean',
  unit: 'ms',
  limit: (thresholds: Thresholds) => thresholds.rttMsMax,
} as const;
