import { isCleanNetwork, type Link, linksAt, lossPercentOf, type Network } from '../../model/network.js';
import { sourceNetwork } from '../baseline-key.js';
import type { ExpectedStream } from '../window.js';
import { baselineOfStream, type StreamMeasure, type StreamRule } from './stream-rules.js';
import { numberNear } from './wording.js';

/** What the limits of a participant's own network are counted from, for each value: the best there is. */
const best: Readonly<Record<string, number>> = {
  lossPercent: 0,
  worstLossPercent5s: 0,
  jitterMs: 0,
  frozenPercent: 0,
  mos: 4.41,
};

/** So much of chance is not the server's doing: of the baseline's count, and of this one. */
const sigmas = 3 * Math.SQRT2;
const audioPacketsPerSecond = 50;
const videoPacketBytes = 1100;
const burstSeconds = 5;
const usualSeconds = 60;

/**
 * The rule for participants on impaired networks: their limits are counted from what one session alone had on the same
 * network, because that is the link's doing and not the server's. In the baseline itself only what the link's setting says
 * can be taken off; what cannot be known yet is not judged. Participants on networks that nothing touches have the plain rule.
 */
export function aboveTheLink(rule: StreamRule): StreamRule {
  const { aggregate, ofBaseline } = rule.subject;
  const frames = aggregate === 'fps' && ofBaseline;
  const from = best[aggregate];
  if (!frames && (ofBaseline || from === undefined)) return rule;
  return {
    ...rule,
    concerns: (stream, measure) => {
      if (!rule.concerns(stream, measure)) return false;
      return measure.baseline !== null || aggregate === 'lossPercent' || !isImpaired(stream, measure);
    },
    value: (subject, measure) => {
      const value = rule.value(subject, measure);
      const share = frames ? undefined : linkShare(subject.stream, aggregate, measure);
      if (value === undefined || share === undefined || from === undefined) return value;
      return rule.comparison === 'at-most' ? Math.max(0, value - share) : value + Math.max(0, from - share);
    },
    phrase: (subject, value, measure) => {
      const share = frames ? undefined : linkShare(subject.stream, aggregate, measure);
      const words = rule.phrase(subject, value, measure);
      return share === undefined
        ? words
        : `${words}, counted from the ${numberNear(share)}${rule.unit === 'MOS' ? '' : ` ${rule.unit}`} of its link`;
    },
  };
}

/** What the link alone makes of a value: as the baseline had it, with what chance may add. `undefined` off impaired links. */
function linkShare(stream: ExpectedStream, aggregate: string, measure: StreamMeasure): number | undefined {
  if (!isImpaired(stream, measure)) return undefined;
  const isLoss = aggregate === 'lossPercent' || aggregate === 'worstLossPercent5s';
  if (measure.baseline === null) {
    return aggregate === 'lossPercent' ? withChance(linkLossPercent(stream, measure), stream, measure) : undefined;
  }
  const known = baselineOfStream(stream, measure);
  const value = known?.[aggregate as keyof typeof known];
  if (value === undefined) return undefined;
  if (aggregate === 'worstLossPercent5s') return Math.max(value, known?.lossPercent ?? 0);
  return isLoss ? withChance(value, stream, measure) : value;
}

/** What `linkRoundTripMs` says of the slowest of a leg's streams. */
export const legRoundTripMs = (streams: readonly ExpectedStream[], measure: StreamMeasure): number =>
  Math.max(0, ...streams.map((stream) => linkRoundTripMs(stream, measure)));

/** The round trip of a participant's link: the baseline's, or before there is one what was set. 0 off impaired links. */
export function linkRoundTripMs(stream: ExpectedStream, measure: StreamMeasure): number {
  const own = networkOf(stream.participant.network, measure);
  if (!own || isCleanNetwork(own)) return 0;
  const known = measure.baseline && baselineOfStream(stream, measure)?.rttMs;
  if (known !== null && known !== undefined) return known;
  return Math.max(...timesOf(own).map((atMs) => roundTrip(linksAt(own, atMs))));
}

function roundTrip({ up, down }: { readonly up: Link; readonly down: Link }): number {
  return [up, down].reduce((sum, { delayMs = 0, jitterMs = 0, rateBps, queueMs = 300 }) => {
    // A full queue waits for its rate.
    return sum + delayMs + jitterMs + (rateBps === undefined ? 0 : queueMs + 1000 * (10_000 / rateBps));
  }, 0);
}

/** Loss as it was set: of what is sent the way up, of what is received also the way up of whoever sent it. */
function linkLossPercent(stream: ExpectedStream, measure: StreamMeasure): number {
  const own = networkOf(stream.participant.network, measure);
  const ways = [worstLoss(own, stream.direction === 'send' ? 'up' : 'down')];
  if (stream.direction === 'receive') ways.push(worstLoss(networkOf(sourceNetworkOf(stream), measure), 'up'));
  return 100 * (1 - ways.reduce((kept, percent) => kept * (1 - percent / 100), 1));
}

function worstLoss(network: Network | undefined, way: 'up' | 'down'): number {
  return network ? Math.max(...timesOf(network).map((atMs) => lossPercentOf(linksAt(network, atMs)[way]))) : 0;
}

function timesOf({ steps }: Network): readonly number[] {
  return [-1, ...steps.map((step) => step.atMs)];
}

function withChance(percent: number, stream: ExpectedStream, measure: StreamMeasure): number {
  const kbps = baselineOfStream(stream, measure)?.bitrateKbps ?? measure.media.videoKbps;
  const perSecond = stream.kind === 'audio' ? audioPacketsPerSecond : (kbps * 125) / videoPacketBytes;
  const seconds = Math.max(burstSeconds, (measure.timing?.measureMs ?? usualSeconds * 1000) / 1000);
  const packets = Math.max(1, perSecond * seconds);
  const share = Math.min(1, percent / 100);
  return percent + 100 * sigmas * Math.sqrt((share * (1 - share)) / packets);
}

/** True when packets of this stream pass a network that does something to them. */
export function isImpaired(stream: ExpectedStream, measure: StreamMeasure): boolean {
  return [stream.participant.network, sourceNetworkOf(stream)].some((name) => {
    const network = networkOf(name, measure);
    return network !== undefined && !isCleanNetwork(network);
  });
}

/** Of whoever is heard; of a mix, which has no network, one's own. */
export function sourceNetworkOf({ direction, leg, participant }: ExpectedStream): string | undefined {
  return sourceNetwork(direction, leg.from, participant.network);
}

function networkOf(name: string | undefined, { networks }: StreamMeasure): Network | undefined {
  return name === undefined ? undefined : networks?.find((network) => network.name === name);
}
