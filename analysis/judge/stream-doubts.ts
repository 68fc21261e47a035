import type { AggregateName } from '../../model/aggregate.js';
import { isMix } from '../../model/expected-streams.js';
import { measures } from '../../model/measures.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { Reason } from '../../model/verdict.js';
import { leadMs } from '../measure/probe-fold.js';
import type { MeasuredWindow } from '../measure/window.js';
import { numberNear, refOf, streamPhrase } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { isImpaired } from './link-path.js';
import { baselineOfStream, type StreamMeasure, type StreamRule, type StreamSubject } from './stream-rules.js';
import { labelOf } from './threshold-label.js';

/**
 * Mean level over a window, below which nobody is heard: 60 dB below the loudest. Probes never pause in their speech. A
 * real Kurento's mixes of it were at 0.33 to 0.42, and a mixer that hears nobody sends silence at its full rate.
 */
const silentLevel = 0.001;

/** What is told of a stream of which nothing came in the window: of its connection, and of before. */
const notOfItsMedia: ReadonlySet<string> = new Set([
  'legRttMs',
  'legRttP95Ms',
  'legRoundTripsDropped',
  'seatedGapPercent',
  'seatedGapMs',
  'seatedLossPercent',
] satisfies AggregateName[]);

/**
 * Bytes or messages came (or left), of a received video at least one frame, and of a mixed sound at least somebody's
 * voice. Unknown is not "none": it is unmeasured.
 */
export function hasArrived({ stream, values }: StreamSubject): boolean {
  const { bitrateKbps, fps, messagesPerSecond } = values;
  const known = Object.keys(values).some((name) => !notOfItsMedia.has(name));
  if (!known || bitrateKbps === 0 || messagesPerSecond === 0) return false;
  if (isSilentMix({ stream, values })) return false;
  return !(stream.direction === 'receive' && stream.kind === 'video' && fps === 0);
}

function isSilentMix({ stream, values: { audioLevel } }: StreamSubject): boolean {
  return stream.kind === 'audio' && isMix(stream) && audioLevel !== undefined && audioLevel < silentLevel;
}

export function noMedia({ stream, values, thereMs }: StreamSubject, { window }: JudgeInput): Reason {
  const { id, session, presents } = stream.participant;
  const seconds = Math.round((thereMs ?? (window ? window.endMs - window.startMs : 0)) / 1000);
  const empty = stream.kind === 'video' ? 'not one frame that could be decoded' : 'nobody’s voice in it';
  const what =
    (values.bitrateKbps ?? 0) > 0
      ? `${streamPhrase(stream)} at ${numberNear(values.bitrateKbps ?? 0)} kbit/s but ${empty}`
      : streamPhrase(stream).replace(/^(sent|received)/, '$1 no');
  return {
    code: presents === true && stream.direction === 'send' ? 'presenter-starved' : 'no-media',
    probe: id,
    session,
    stream: refOf(stream),
    text: `${id} ${what} in ${seconds} s.`,
  };
}

/** What is said of a stream of which something that must be known could not be measured. */
export function unmeasured(
  { stream, unreportedMs = 0 }: StreamSubject,
  threshold: ThresholdId,
  haveReportsEnded = false,
): Reason {
  const { id, session } = stream.participant;
  const seconds = Math.round(unreportedMs / 1000);
  const why = haveReportsEnded
    ? `: the server reported nothing of it in the last ${seconds} s, although it does in the baseline`
    : '';
  return {
    code: 'samples-missing',
    probe: id,
    session,
    stream: refOf(stream),
    text: `"${labelOf(threshold)}" could not be measured for the stream that ${id} ${streamPhrase(stream)}${why}.`,
  };
}

/** Share of the time in which a stream may begin anew; once it may in any window. */
const mostPercent = 5;

/** Streams that begin anew so often that what is known of them is a sample of their better seconds. */
export function unknownStreams(
  measured: MeasuredWindow | undefined,
  subjects: readonly StreamSubject[],
): readonly Reason[] {
  const judged = new Set(subjects.map(({ stream }) => stream));
  const streams = (measured?.streams ?? []).filter((one) => one.unknown.count > 1 && judged.has(one.expected));
  return streams.flatMap(({ expected, readMs, unknown }) => {
    const percent = (100 * unknown.ms) / Math.max(1, readMs);
    if (percent <= mostPercent) return [];
    const { id, session } = expected.participant;
    const text = `${id} ${streamPhrase(expected)} that began anew in ${unknown.count} seconds, ${numberNear(percent, mostPercent)} % of the time (limit ${mostPercent} %): too little is known of it.`;
    const figures = { measured: percent, limit: mostPercent, unit: '%' };
    return { code: 'samples-missing' as const, probe: id, session, stream: refOf(expected), text, ...figures };
  });
}

/** The longest that RFC 3550, 6.2, leaves between two reports: half as long again as the 5 s that it takes at least. */
const longestApartMs = 7500;
/** It is read up to a second after it came. */
const readAfterMs = 1000;

/**
 * Whether the server's reports of a sent stream have ended, although streams like it had them in the baseline: then
 * what only reports say is unknown, and no sign of health. A server that reports nothing in the baseline either is left
 * alone, and so is a figure of which there was no fair chance: one report may be lost, and on a network that loses
 * packets several.
 */
export function haveReportsEnded(
  { subject: { aggregate } }: Pick<StreamRule, 'subject'>,
  { stream, readMs = 0, unreportedMs }: StreamSubject,
  measure: StreamMeasure,
): boolean {
  if (unreportedMs === undefined || measures[aggregate].reported === undefined) return false;
  if (baselineOfStream(stream, measure)?.lossPercent === undefined) return false;
  if (isImpaired(stream, measure)) return unreportedMs >= leadMs;
  const isEmpty = unreportedMs >= readMs;
  return unreportedMs >= (isEmpty ? longestApartMs + readAfterMs : 2 * longestApartMs + readAfterMs);
}

/** What a value may be at most, where padding may hide some of it. */
const atMostOf: Readonly<Partial<Record<AggregateName, AggregateName>>> = {
  lossPercent: 'lossPercentAtMost',
  worstLossPercent5s: 'worstLossPercent5sAtMost',
};

/**
 * Up to what the value of a stream may be that keeps its limit, where that is beyond the limit: then whether it keeps
 * it is not known, and frame rate and freezes decide. `undefined` where it is known.
 */
export function hiddenBeyond(
  rule: StreamRule,
  subject: StreamSubject,
  measure: StreamMeasure,
  limit: number,
): number | undefined {
  const { aggregate, ofBaseline } = rule.subject;
  const most = ofBaseline ? undefined : subject.values[atMostOf[aggregate] ?? aggregate];
  if (rule.comparison !== 'at-most' || most === undefined) return undefined;
  const upTo = rule.value({ ...subject, values: { ...subject.values, [aggregate]: most } }, measure);
  return upTo !== undefined && upTo > limit ? upTo : undefined;
}
