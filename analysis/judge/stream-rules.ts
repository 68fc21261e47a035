import type { AggregateName, Aggregates } from '../../model/aggregate.js';
import { type ExpectedStream, isMix, isShared } from '../../model/expected-streams.js';
import { layerNames } from '../../model/layer.js';
import type { Network } from '../../model/network.js';
import type { Media, Thresholds, Timing } from '../../model/plan.js';
import { layerAsked } from '../../model/scenario.js';
import { screenFps } from '../../model/screen.js';
import type { StreamLimitId } from '../../model/threshold-id.js';
import type { Baseline } from '../../model/trial.js';
import type { OfLink, ThresholdResult, UnstableCode } from '../../model/verdict.js';
import { type BaselinePlace, entryOfStream } from '../measure/baseline-places.js';
import { percentOf } from '../measure/stream-reading.js';

/** What stream rules measure against. */
export interface StreamMeasure {
  readonly thresholds: Thresholds;
  readonly baseline: Baseline | null;
  /** What the baseline had in the place of a stream, where like streams were not alike in it; absent: not asked. */
  readonly places?: ReadonlyMap<ExpectedStream, Partial<BaselinePlace>>;
  readonly media: Media;
  readonly timing?: Timing;
  /** Frames per second of a picture that the server mixes; absent: the cameras'. */
  readonly mixedFps?: number | undefined;
  /** What a visited app asks of a stream, frames a second; where nothing is said, all that a camera gives. */
  readonly asked?: ReadonlyMap<ExpectedStream, number>;
  /** How wide the pictures are that the source of a received stream sends; absent: not known. */
  readonly sentWidths?: ReadonlyMap<ExpectedStream, number>;
  /** Whose loss and delay is the link's; absent: limits hold as they are written. */
  readonly networks?: readonly Network[] | undefined;
  /** How many streams are judged beside each other; absent: one. */
  readonly among?: number;
}

export interface StreamSubject {
  readonly stream: ExpectedStream;
  readonly values: Aggregates;
  /** No browser played it: what only a decoder or a jitter buffer says is unknown. */
  readonly undecoded?: true;
  /** How long it was there, where its source was away in a part of the window. */
  readonly thereMs?: number;
  /** Who was seen in place of the expected sender. */
  readonly seen?: string;
  /** The member of a mixed picture who was seen least. */
  readonly missing?: string;
  /** Who is in this mixed picture was looked for, and is not known. */
  readonly unread?: true;
  /** How long it was read. */
  readonly readMs?: number;
  /** Of a sent stream: how long the last seconds are in which no report of the server came. */
  readonly unreportedMs?: number;
}

/** What a rule limits, in the names of the catalogue. */
export interface StreamLimit extends StreamLimitId {
  readonly ofBaseline: boolean;
}

export interface StreamRule {
  readonly code: UnstableCode;
  /** What it limits: a later rule on the same replaces it. */
  readonly subject: StreamLimit;
  readonly unit: string;
  readonly comparison: ThresholdResult['comparison'];
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

export const baselineOfStream = (stream: ExpectedStream, { baseline }: StreamMeasure) =>
  baseline ? entryOfStream(stream, baseline) : undefined;

/** Baseline of the stream: of its rank where its like differed in the baseline; nothing if that is unknown. */
function placeOfStream(stream: ExpectedStream, measure: StreamMeasure): Partial<BaselinePlace> | undefined {
  const entry = baselineOfStream(stream, measure);
  return entry?.places ? measure.places?.get(stream) : entry;
}

export function expectedFps(stream: ExpectedStream, measure: StreamMeasure): number | undefined {
  if (measure.baseline) return placeOfStream(stream, measure)?.fps;
  return sourceFps(stream, measure);
}

/** A server that makes all pictures smaller does so in the baseline, too: so they are held against what is sent. */
export function expectedWidth(stream: ExpectedStream, measure: StreamMeasure): number | undefined {
  return measure.baseline ? baselineOfStream(stream, measure)?.frameWidth : measure.sentWidths?.get(stream);
}

/** Frames per second that a stream should have before a baseline: a camera's, a screen's, or the server's for a mix. */
export function sourceFps(stream: ExpectedStream, { mixedFps, media, asked }: StreamMeasure): number {
  if (isShared(stream)) return screenFps;
  return (isMix(stream) ? mixedFps : undefined) ?? cameraFps(media, asked?.get(stream));
}

/** What a camera is to give: a visited app may ask less of it than it has. */
export const cameraFps = ({ framesPerSecond }: Media, askedFps = framesPerSecond): number =>
  Math.min(framesPerSecond, askedFps);

/** What Chromium sends of silence with DTX (docs/lab/native-behaviour.md). */
const pauseKbps = 0.67;
/** So much of speech may be on its way at an edge of the window, or be told of by clocks that differ. */
const atEdgesMs = 300;

/** What the baseline had; of a sound with pauses the least that it would have had with as much speech as is here. */
export function expectedKbps({ stream, values, readMs }: StreamSubject, measure: StreamMeasure): number | undefined {
  const alone = baselineOfStream(stream, measure);
  if (layerAsked(stream)?.turns) return sumOfLayers('alone', values, alone);
  const { bitrateKbps, spokenPercent } = alone ?? {};
  if (spokenPercent === undefined || bitrateKbps === undefined) return placeOfStream(stream, measure)?.bitrateKbps;
  const speechKbps = spokenPercent > 0 ? (100 * Math.max(0, bitrateKbps - pauseKbps)) / spokenPercent : 0;
  const windowMs = readMs || measure.timing?.measureMs || atEdgesMs;
  const share = Math.max(0, (values.spokenPercent ?? 0) / 100 - atEdgesMs / windowMs);
  return pauseKbps + share * speechKbps;
}

/** Of the layers whose rate is known here and in the baseline, by how long each was asked for here. */
function sumOfLayers(of: 'own' | 'alone', own: Aggregates, alone: Aggregates = {}): number | undefined {
  const parts = layerNames.flatMap((name) => {
    const kbps = { own: own[`${name}LayerKbps`], alone: alone[`${name}LayerKbps`] };
    const percent = own[`${name}LayerPercent`];
    const isKnown = kbps.own !== undefined && kbps.alone !== undefined && percent !== undefined;
    return isKnown ? ((kbps[of] ?? 0) * percent) / 100 : [];
  });
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

/** In percent. */
export function shareOfBaseline(
  aggregate: AggregateName,
  subject: StreamSubject,
  measure: StreamMeasure,
): number | undefined {
  const { stream, values } = subject;
  if (aggregate === 'fps') return percentOf(values.fps, expectedFps(stream, measure));
  const alone = baselineOfStream(stream, measure);
  if (aggregate === 'ssim' || aggregate === 'vmaf') return percentOf(values[aggregate], alone?.[aggregate]);
  const changes = layerAsked(stream)?.turns !== undefined;
  if (aggregate === 'frameWidth')
    return changes ? undefined : percentOf(values.frameWidth, expectedWidth(stream, measure));
  const own = changes ? sumOfLayers('own', values, alone) : values.bitrateKbps;
  return percentOf(own, expectedKbps(subject, measure));
}
