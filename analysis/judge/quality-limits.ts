import { isMix, isShared } from '../../model/expected-streams.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import { type LimitEntry, type NamedLimit, namedLimit } from './named-limit.js';
import { expectedWidth, type StreamSubject, shareOfBaseline } from './stream-rules.js';

/** Opus speaks from 6 kbit/s on (RFC 6716, 2.1.1). Below that a sender is muted, or leaves silence out (DTX). */
const leastSpeechKbps = 6;

/** Of a forwarded sound that somebody speaks into. */
function levelOfSpeech({ stream, values }: StreamSubject): number | undefined {
  const { bitrateKbps = 0, audioLevel, spokenPercent = 100 } = values;
  return isMix(stream) || bitrateKbps < (leastSpeechKbps * spokenPercent) / 100 ? undefined : audioLevel;
}

/** What participants see and hear although all frames and packets arrive. Unknown values are not judged. */
const entries: readonly Omit<LimitEntry, 'mayBeUnknown'>[] = [
  {
    code: 'narrow-picture',
    field: 'widthPercentOfBaselineMin',
    aggregate: 'frameWidth',
    ofBaseline: true,
    words: { what: 'picture width' },
    comparison: 'at-least',
    kinds: ['video'],
    value: (subject, measure) => shareOfBaseline('frameWidth', subject, measure),
    phrase: ({ stream, values }, value, limit, measure) =>
      `${streamPhrase(stream)} ${numberNear(values.frameWidth ?? 0)} px wide, ${numberNear(value, limit)} % of the ${measure.baseline ? "baseline's " : ''}${numberNear(expectedWidth(stream, measure) ?? 0)}${measure.baseline ? '' : ' that were sent'}`,
  },
  {
    code: 'jitter-buffer',
    field: 'jitterBufferMsMax',
    aggregate: 'jitterBufferMs',
    words: { what: 'jitter buffer', statistic: 'mean' },
    kinds: ['audio', 'video'],
    phrase: ({ stream }, value, limit) =>
      `${streamPhrase(stream)} that waited ${numberNear(value, limit)} ms in its jitter buffer`,
  },
  {
    code: 'stutter',
    field: 'stutterMsMax',
    aggregate: 'stutterMs',
    words: { what: 'stutter' },
    kinds: ['video'],
    // A mixer gives half as many frames, so that one that is late is as far off as two of a camera. Of a screen
    // encoders leave some out when a slide follows another.
    value: ({ stream, values }) => (isMix(stream) || isShared(stream) ? undefined : values.stutterMs),
    phrase: ({ stream }, value, limit) =>
      `${streamPhrase(stream)} whose frames came unevenly, ${numberNear(value, limit)} ms off their mean distance`,
  },
  {
    code: 'silent-sound',
    field: 'audioLevelMin',
    aggregate: 'audioLevel',
    words: { what: 'level of forwarded sound', statistic: 'mean' },
    comparison: 'at-least',
    kinds: ['audio'],
    value: levelOfSpeech,
    phrase: ({ stream }, value, limit) => `${streamPhrase(stream)} at a level of ${numberNear(value, limit)}`,
  },
  {
    code: 'seated-gaps',
    field: 'seatedGapPercentMax',
    aggregate: 'seatedGapPercent',
    words: { what: 'gaps while others joined' },
    kinds: ['audio', 'video'],
    phrase: ({ stream, values }, value, limit) =>
      `${streamPhrase(stream)} that stopped for ${numberNear((values.seatedGapMs ?? 0) / 1000)} s in all while others joined, ${numberNear(value, limit)} %`,
  },
];

export const qualityLimits: readonly NamedLimit[] = entries.map((entry) =>
  namedLimit({ ...entry, mayBeUnknown: true }),
);
