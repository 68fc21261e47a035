import type { Aggregates } from '../../model/aggregate.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import { judgedFrozen } from '../measure/frozen.js';
import { numberNear, plural, streamPhrase } from '../wording/wording.js';
import { type LimitEntry, type LimitField, type NamedLegLimit, type NamedLimit, namedLimit } from './named-limit.js';
import { qualityLimits } from './quality-limits.js';
import { expectedFps, expectedKbps, type StreamSubject } from './stream-rules.js';

/** The worse of the transport's own round trip and that of the media reports. */
export const roundTripLimit = {
  code: 'round-trip',
  field: 'rttMsMax',
  aggregate: 'rttMs',
  words: { what: 'round trip', statistic: 'mean' },
} as const satisfies NamedLegLimit;

/** The same at the times when it is long: its mean hides them. */
export const roundTripPeaksLimit = {
  code: 'round-trip-peaks',
  field: 'rttP95MsMax',
  aggregate: 'rttP95Ms',
  words: { what: 'round trip', statistic: 'p95' },
} as const satisfies NamedLegLimit;

export const namedLegLimits: readonly NamedLegLimit[] = [roundTripLimit, roundTripPeaksLimit];

/** A limit on how long joining takes, over all probes. */
interface NamedJoinLimit extends Pick<Extract<ThresholdId, { of: 'join' }>, 'time' | 'statistic'> {
  readonly field: LimitField;
  readonly label: string;
}

export const namedJoinLimits: readonly NamedJoinLimit[] = [
  { time: 'time', statistic: 'max', field: 'joinMsMax', label: 'time to join, slowest' },
  { time: 'firstFrame', statistic: 'p95', field: 'firstFrameP95MsMax', label: 'first frame after its sources, p95' },
];

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

/** What the plan limits by name. An entry and its field in the plan are all that makes such a limit. */
const entries: readonly LimitEntry[] = [
  {
    code: 'low-bitrate',
    field: 'bitratePercentOfBaselineMin',
    aggregate: 'bitrateKbps',
    ofBaseline: true,
    words: { what: 'bitrate' },
    comparison: 'at-least',
    kinds: ['audio', 'video'],
    directions: ['receive', 'send'],
    phrase: (subject, value, limit, measure) => {
      const { stream, values } = subject;
      const expected = numberNear(expectedKbps(subject, measure) ?? 0);
      const spoken = values.spokenPercent === undefined ? '' : ` in ${numberNear(values.spokenPercent)} % of speech`;
      return `${streamPhrase(stream)} at ${numberNear(values.bitrateKbps ?? 0)} kbit/s${spoken}, ${numberNear(value, limit)} % of the baseline's ${expected}`;
    },
  },
  {
    code: 'low-frame-rate',
    field: 'framesPercentOfBaselineMin',
    aggregate: 'fps',
    ofBaseline: true,
    words: { what: 'frame rate' },
    comparison: 'at-least',
    kinds: ['video'],
    directions: ['receive', 'send'],
    phrase: ({ stream, values }, value, limit, measure) => {
      const whose = measure.baseline ? "the baseline's" : 'the expected';
      return `${streamPhrase(stream)} at ${numberNear(values.fps ?? 0)} fps, ${numberNear(value, limit)} % of ${whose} ${numberNear(expectedFps(stream, measure) ?? 0)}`;
    },
  },
  {
    code: 'video-loss',
    field: 'videoLossPercentMax',
    aggregate: 'lossPercent',
    words: { what: 'video loss after resending', statistic: 'mean' },
    kinds: ['video'],
    directions: ['receive', 'send'],
    phrase: lossPhrase(''),
  },
  {
    code: 'video-loss-burst',
    field: 'videoLossBurstPercentMax',
    aggregate: 'worstLossPercent5s',
    words: { what: 'video loss after resending', statistic: 'worst 5 s' },
    kinds: ['video'],
    directions: ['receive', 'send'],
    phrase: lossPhrase(' in its worst 5 s'),
  },
  {
    code: 'audio-loss',
    field: 'audioLossPercentMax',
    aggregate: 'lossPercent',
    words: { what: 'audio loss', statistic: 'mean' },
    kinds: ['audio'],
    directions: ['receive', 'send'],
    phrase: lossPhrase(''),
  },
  {
    code: 'jitter',
    field: 'jitterMsMax',
    aggregate: 'jitterMs',
    // RFC 3550 6.4.1 takes differences from one timestamp to the next, so the same delays are more jitter the further
    // apart those are: a limit in milliseconds is one for packets of sound, 20 ms apart (docs/reference/measuring.md,
    // "Jitter").
    words: { what: 'audio jitter', statistic: 'mean' },
    kinds: ['audio'],
    phrase: ({ stream }, value, limit) => `${streamPhrase(stream)} with ${numberNear(value, limit)} ms of jitter`,
  },
  {
    code: 'frozen',
    field: 'frozenPercentMax',
    aggregate: 'frozenPercent',
    words: { what: 'time frozen' },
    kinds: ['video'],
    value: ({ values }) => judgedFrozen(values)?.percent,
    phrase: ({ stream, values }, value, limit) =>
      `${streamPhrase(stream)} that stood still ${frozenPhrase(values, value, limit)}`,
  },
  {
    code: 'audio-quality',
    field: 'mosMin',
    aggregate: 'mos',
    words: { what: 'audio MOS' },
    comparison: 'at-least',
    kinds: ['audio'],
    phrase: ({ stream }, value, limit) =>
      `${streamPhrase(stream)} at an estimated MOS (G.107, narrow band) of ${numberNear(value, limit)}`,
  },
  {
    code: 'sound-gap',
    field: 'soundGapMsMax',
    aggregate: 'longestGapMs',
    words: { what: 'time without sound', statistic: 'longest' },
    kinds: ['audio'],
    phrase: ({ stream }, value, limit) =>
      `${streamPhrase(stream)} with nothing to hear for ${numberNear(value, limit)} ms at a stretch`,
  },
];

export const namedLimits: readonly NamedLimit[] = [...entries.map(namedLimit), ...qualityLimits];
