import { audioPacketsPerSecond } from '../../model/codec.js';
import { type ExpectedStream, videoKbpsOf } from '../../model/expected-streams.js';
import { type Leg, type MediaKind, receivedStreams } from '../../model/scenario.js';
import type { OfLink, ThresholdResult } from '../../model/verdict.js';
import { leastPlace } from '../measure/baseline-key.js';
import { legRoundTripMs } from '../measure/leg-round-trip.js';
import { highest } from '../statistics/statistics.js';
import { numberNear, unitAfter } from '../wording/wording.js';
import { type Carried, roundTripMs, videoPacketBytes } from './link-model.js';
import { hopsOf, isImpaired, isJudgedByLinks, ownHops } from './link-path.js';
import type { LinkedValue, LinkShare, Path } from './linked-value.js';
import { linkedShares, linkedValues } from './linked-values.js';
import {
  baselineOfStream,
  type StreamMeasure,
  type StreamRule,
  type StreamSubject,
  sourceFps,
} from './stream-rules.js';

const usualWindowMs = 60_000;
/** Of a shorter time no reading is. */
const leastReadMs = 1000;

/**
 * A smaller difference means that nothing was taken off: shares of a baseline, which was measured on the same links,
 * lose only what chance explains.
 */
const roundingError = 1e-9;

type ReadStream = Pick<StreamSubject, 'stream' | 'readMs'>;

/** A value as it is judged: how far it is beyond what its links explain. */
interface Beyond {
  readonly value: number;
  readonly ofLink: OfLink;
}

/**
 * The rule for participants on impaired networks: their values are counted from what the links explain, because that is
 * not the server's doing. That is the less of two things: what one session alone had on the same network, and what the
 * model makes of the network's setting; so a baseline that a server has spoilt excuses nothing, and is judged by the
 * setting itself. What is beyond either by no more than chance does is not beyond it. Participants on networks that
 * nothing touches have the plain rule.
 */
export function aboveTheLink(rule: StreamRule): StreamRule {
  const linked = linkedOf(rule);
  if (!linked) return rule;
  const beyond = (subject: StreamSubject, measure: StreamMeasure): Beyond | undefined => {
    const measured = rule.value(subject, measure);
    if (measured === undefined || !isImpaired(subject.stream, measure)) return undefined;
    return beyondLinks(measured, rule.comparison, linked.best, linkSharesOf(rule, linked, subject, measure));
  };
  return {
    ...rule,
    concerns: (stream, measure) =>
      rule.concerns(stream, measure) &&
      (!isImpaired(stream, measure) || linkSharesOf(rule, linked, { stream }, measure).length > 0),
    value: (subject, measure) => beyond(subject, measure)?.value ?? rule.value(subject, measure),
    ofLink: (subject, measure) => {
      const found = beyond(subject, measure);
      const isAsMeasured = found && Math.abs(found.value - found.ofLink.measured) < roundingError;
      return isAsMeasured ? undefined : found?.ofLink;
    },
  };
}

/** A plan's own limit from the other side, such as a MOS of at most 4, is not the links' to excuse. */
function linkedOf({ subject, comparison }: Pick<StreamRule, 'subject' | 'comparison'>): LinkedValue | undefined {
  // A channel repairs what its link loses, and no model says how long that takes.
  if (subject.kind === 'data') return undefined;
  const linked = (subject.ofBaseline ? linkedShares : linkedValues)[subject.aggregate];
  return linked && comparison === (linked.best === 0 ? 'at-most' : 'at-least') ? linked : undefined;
}

/** Whether some participants are judged by how far this value is beyond what their links explain. */
export function isCountedFromLinks(rule: Pick<StreamRule, 'subject' | 'comparison'>, measure: StreamMeasure): boolean {
  const isShareOfMeasured = rule.subject.ofBaseline && measure.baseline !== null;
  return isJudgedByLinks(measure) && linkedOf(rule) !== undefined && !isShareOfMeasured;
}

/** Added to a sentence that has the value as it is judged. */
export function fromLinkPhrase({ unit }: Pick<StreamRule, 'unit'>, ofLink: OfLink | undefined): string {
  if (!ofLink) return '';
  const inUnit = unitAfter(unit);
  return `, counted from the ${numberNear(ofLink.share)}${inUnit} of its link`;
}

function beyondLinks(
  measured: number,
  comparison: StreamRule['comparison'],
  best: number,
  shares: readonly LinkShare[],
): Beyond | undefined {
  const sign = comparison === 'at-most' ? 1 : -1;
  const counted = shares.map(({ share, chance }) => {
    const excess = sign * (measured - share);
    const value = excess > chance ? best + sign * excess : sign * Math.min(sign * measured, sign * best);
    return { value, ofLink: { measured, share, withChance: share + sign * chance } };
  });
  // The one that leaves most; of those that leave nothing, the one that explains less.
  return counted.sort((a, b) => sign * (b.value - a.value || a.ofLink.withChance - b.ofLink.withChance))[0];
}

/** What the value is counted from: by the setting, and by the baseline where there is one. */
function linkSharesOf(
  { comparison, subject: { ofBaseline } }: StreamRule,
  linked: LinkedValue,
  subject: ReadStream,
  measure: StreamMeasure,
): readonly LinkShare[] {
  const alone = measure.baseline ? baselineOfStream(subject.stream, measure) : undefined;
  const paths = pathsOf(subject, measure);
  const shares = (of: (path: Path) => LinkShare | undefined) => weakest(paths.map(of), comparison);
  const bySetting = ofBaseline && measure.baseline ? [] : shares(linked.bySetting);
  return [...bySetting, ...(alone ? shares((path) => linked.byBaseline(path, alone)) : [])];
}

/** Of the states that a network is in, the one that explains most; none where one is not bounded. */
function weakest(
  shares: readonly (LinkShare | undefined)[],
  comparison: ThresholdResult['comparison'],
): readonly LinkShare[] {
  const sign = comparison === 'at-most' ? 1 : -1;
  const reach = ({ share, chance }: LinkShare) => sign * share + chance;
  const known = shares.flatMap((share) => share ?? []);
  if (known.length < shares.length) return [];
  return [...known].sort((a, b) => reach(b) - reach(a)).slice(0, 1);
}

/** Chance is that of the time in which the stream was read: it may be away, or not shown, in the rest. */
function pathsOf({ stream, readMs }: ReadStream, measure: StreamMeasure): readonly Path[] {
  const carried = carriedBy(stream, measure);
  const windowSeconds = Math.max(leastReadMs, readMs || measure.timing?.measureMs || usualWindowMs) / 1000;
  const { direction } = stream;
  const among = measure.among ?? 1;
  return hopsOf(stream, measure).map((hops) => ({ hops, carried, windowSeconds, among, direction }));
}

function carriedBy(stream: ExpectedStream, measure: StreamMeasure): Carried {
  const { leg, direction, kind } = stream;
  const asked = direction === 'receive' ? videoKbpsOf(stream, measure.media.videoKbps) : measure.media.videoKbps;
  const media = { ...measure.media, videoKbps: asked };
  const alone = kind === 'video' ? baselineOfStream(stream, measure) : undefined;
  // Of unlike streams the smallest: the fewer packets, the more is chance.
  const videoKbps = (alone && leastPlace(alone).bitrateKbps) || media.videoKbps;
  return {
    media,
    kinds: direction === 'send' ? leg.sends : kindsReceived(leg),
    packetsPerSecond: kind === 'audio' ? audioPacketsPerSecond : (videoKbps * 125) / videoPacketBytes,
    framesPerSecond: sourceFps(stream, measure),
  };
}

/** The round trip of a leg by the worst of its streams, and how far it is beyond that of its link. */
export function roundTripBeyondLink(
  leg: readonly StreamSubject[],
  measure: StreamMeasure,
): { readonly value: number; readonly ofLink: OfLink | undefined } | undefined {
  return beyondLinkRoundTrip(legRoundTripMs(leg), leg, measure, 'rttMs');
}

/** The same of its 95th percentile. */
export function peaksBeyondLink(
  leg: readonly StreamSubject[],
  measure: StreamMeasure,
): { readonly value: number; readonly ofLink: OfLink | undefined } | undefined {
  const measured = highest(leg.flatMap(({ values: { legRttP95Ms } }) => legRttP95Ms ?? []));
  return beyondLinkRoundTrip(measured, leg, measure, 'legRttP95Ms');
}

function beyondLinkRoundTrip(
  measured: number | undefined,
  leg: readonly StreamSubject[],
  measure: StreamMeasure,
  alone: 'rttMs' | 'legRttP95Ms',
): { readonly value: number; readonly ofLink: OfLink | undefined } | undefined {
  if (measured === undefined) return undefined;
  const share = Math.max(0, ...leg.map(({ stream }) => linkRoundTripMs(stream, measure, alone)));
  const ofLink = share === 0 ? undefined : { measured, share, withChance: share };
  return { value: Math.max(0, measured - share), ofLink };
}

/** The round trip of a participant's link: the baseline's, but not more than was set. 0 off impaired links. */
function linkRoundTripMs(stream: ExpectedStream, measure: StreamMeasure, alone: 'rttMs' | 'legRttP95Ms'): number {
  if (!isImpaired({ ...stream, direction: 'send' }, measure)) return 0;
  const carried = carriedBy(stream, measure);
  const set = Math.max(...ownHops(stream, measure).map((hop) => roundTripMs(hop, carried)));
  const known = measure.baseline ? baselineOfStream(stream, measure)?.[alone] : undefined;
  return known === undefined ? set : Math.min(known, set);
}

const kindsReceived = (leg: Leg): readonly MediaKind[] => receivedStreams(leg).map(({ kind }) => kind);
