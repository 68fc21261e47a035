import { audioPacketsPerSecond } from '../../model/codec.js';
import { type Link, type Loss, lossPercentOf } from '../../model/network.js';
import type { Media } from '../../model/plan.js';
import type { MediaKind } from '../../model/scenario.js';
import { mosOf, soundPacketMs } from '../measure/mos.js';
import { sum } from '../statistics/statistics.js';
import type { Hop, Way } from './link-path.js';

/** What is asked of a path: what goes over it, and at which frame rate. */
export interface Carried {
  readonly media: Media;
  /** Of the whole connection, because its streams share its link. */
  readonly kinds: readonly MediaKind[];
  readonly packetsPerSecond: number;
  readonly framesPerSecond: number;
}

// What links explain by their setting: docs/lab/networks.md, "What a link explains", has the formulas, where they
// are from, and which are estimates.

/**
 * Headers of RTP, UDP, IP and Ethernet and the authentication tag of SRTP, all of which a rate counts: 12 + 8 + 20 +
 * 14 + 10.
 */
const headerBytes = 64;
const audioKbps = 40;
export const videoPacketBytes = 1100;
/** Senders go no lower: kDefaultMinVideoBitrateBps of libwebrtc, and Opus at its target. */
const leastVideoKbps = 30;
const leastAudioKbps = 32;
/** A rate below this multiple of the media is at times full: resent packets and probing come on top of the media. */
const narrowBelow = 1.5;
/** A sender holds its rate up to this loss (draft-ietf-rmcat-gcc-02, 6). */
const toleratedLoss = 0.1;
/** As long as the network's own queue where the plan names none; and a packet that is being sent. */
const usualQueueMs = 300;
const packetBits = 10_000;

function askedBps(kinds: readonly MediaKind[], videoKbps: number, soundKbps: number): number {
  const audio = soundKbps * 1000 + audioPacketsPerSecond * headerBytes * 8;
  const video = videoKbps * 1000 * (1 + headerBytes / videoPacketBytes);
  return sum(kinds.map((kind) => (kind === 'audio' ? audio : video)));
}

function asked({ carries }: Way, { kinds, media }: Carried): number {
  return askedBps(carries?.kinds ?? kinds, carries?.videoKbps ?? media.videoKbps, audioKbps);
}

function isNarrow(way: Way, carried: Carried): boolean {
  const { rateBps } = way;
  return rateBps !== undefined && rateBps < narrowBelow * asked(way, carried);
}

/** How much of the media fits, at most 1. */
export function fittingShare(hops: readonly Hop[], carried: Carried): number {
  const share = ({ there }: Hop) => (there.rateBps ?? Number.POSITIVE_INFINITY) / asked(there, carried);
  return Math.min(1, ...hops.map(share));
}

/** Of the packets that enter, the share that does not come out. */
function lossOf(link: Way, carried: Carried): number {
  const kept = 1 - lossPercentOf(link) / 100;
  const { rateBps, carries } = link;
  if (rateBps === undefined || !isNarrow(link, carried)) return 1 - kept;
  const least = askedBps(carries?.kinds ?? carried.kinds, leastVideoKbps, leastAudioKbps);
  return 1 - kept * (1 - toleratedLoss) * Math.min(1, rateBps / least);
}

export function pathLoss(hops: readonly Hop[], carried: Carried): number {
  return 1 - hops.reduce((kept, { there }) => kept * (1 - lossOf(there, carried)), 1);
}

/** By how much more than a binomial count the losses of the path vary: of each way in the measure of what it loses. */
export function pathSpread(hops: readonly Hop[]): number {
  const ways = hops.map(({ there }) => ({ share: lossPercentOf(there) / 100, spread: spreadOf(there.loss) }));
  const variance = ways.reduce((sum, { share, spread }) => sum + share * (1 - share) * spread, 0);
  const binomial = ways.reduce((sum, { share }) => sum + share * (1 - share), 0);
  return binomial === 0 ? 1 : Math.max(1, variance / binomial);
}

function spreadOf(loss: Loss | undefined): number {
  if (loss === undefined) return 1;
  const correlation = correlationOf(loss);
  if (loss.kind === 'random') return (1 + correlation) / (1 - correlation);
  const { enterPercent, leavePercent, lossInBadPercent, lossInGoodPercent } = loss;
  const bad = enterPercent / Math.max(enterPercent + leavePercent, Number.MIN_VALUE);
  const share = (bad * lossInBadPercent + (1 - bad) * lossInGoodPercent) / 100;
  if (share <= 0 || share >= 1) return 1;
  // Of a state's own losses only what differs between the states is correlated.
  const ofStates = (bad * (1 - bad) * (lossInBadPercent - lossInGoodPercent) ** 2) / 10_000;
  return Math.max(1, 1 + ((2 * ofStates) / (share * (1 - share))) * (correlation / (1 - correlation)));
}

/**
 * From one packet to the next; netem correlates the random numbers that it draws; the losses made of them are
 * correlated less.
 */
function correlationOf(loss: Loss | undefined): number {
  if (loss === undefined) return 0;
  const correlation =
    loss.kind === 'random' ? (loss.correlationPercent ?? 0) / 100 : 1 - (loss.enterPercent + loss.leavePercent) / 100;
  return Math.min(0.999, Math.max(0, correlation));
}

function queueMsOf(link: Way, carried: Carried): number {
  const { rateBps, queuePackets, queueMs } = link;
  if (rateBps === undefined || !isNarrow(link, carried)) return 0;
  const waiting = queuePackets === undefined ? (queueMs ?? usualQueueMs) : (1000 * queuePackets * packetBits) / rateBps;
  return waiting + (1000 * packetBits) / rateBps;
}

/** That the packet behind a lost one is lost, too: by chance, or because losses of a way come together. */
export function pathGoesOn(hops: readonly Hop[], loss: number): number {
  const together = Math.max(0, ...hops.map(({ there }) => correlationOf(there.loss)));
  return loss + (1 - loss) * together;
}

function pathBurst(hops: readonly Hop[], loss: number): number {
  return 1 / Math.max(Number.EPSILON, 1 - pathGoesOn(hops, Math.min(1, loss)));
}

/** By how much delays of the path differ at most: how long a player may have to wait for a packet that is not lost. */
export function pathWaitMs(hops: readonly Hop[], carried: Carried): number {
  return widthMs(hops) + hops.reduce((sum, { there }) => sum + queueMsOf(there, carried), 0);
}

/** Both ways with their jitter, and with full queues where the rate is narrow. */
export function roundTripMs({ there, back }: Hop, carried: Carried): number {
  return [there, back].reduce(
    (sum, link) => sum + (link.delayMs ?? 0) + (link.jitterMs ?? 0) + queueMsOf(link, carried),
    0,
  );
}

/** Of one packet's delay. A uniform jitter is given by half its width; what overtakes has none of the delay. */
function delayVariance({ delayMs = 0, jitterMs = 0, distribution = 'uniform', reorderPercent = 0 }: Link): number {
  const jitter = distribution === 'uniform' ? jitterMs ** 2 / 3 : jitterMs ** 2;
  const overtaking = reorderPercent / 100;
  return jitter + overtaking * (1 - overtaking) * delayMs ** 2;
}

/**
 * RFC 3550, 6.4.1: a running mean of the difference between two packets' delays, which is at most √2 of their standard
 * deviation (Jensen). A narrow link moves a packet by up to two frames that are before it, and by no more than its
 * queue.
 */
export function pathJitterMs(hops: readonly Hop[], carried: Carried): number {
  const variance = hops.reduce((sum, { there }) => sum + delayVariance(there), 0);
  const frameBits = (carried.media.videoKbps * 1000) / carried.framesPerSecond;
  const behind = hops.map(({ there }) =>
    Math.min(queueMsOf(there, carried), (2000 * frameBits) / (there.rateBps ?? Number.POSITIVE_INFINITY)),
  );
  return Math.sqrt(2 * variance) + behind.reduce((sum, ms) => sum + ms, 0);
}

function queuedMs(hops: readonly Hop[], carried: Carried): number {
  return hops.reduce((all, { there }) => all + queueMsOf(there, carried), 0);
}

/** From the earliest packet to the latest, of a uniform spread; of others as far as one of the same deviation goes. */
function widthMs(hops: readonly Hop[]): number {
  return hops.reduce((sum, { there }) => sum + 2 * Math.sqrt(3 * delayVariance(there)), 0);
}

/** Measured jitter buffers: 38 to 44 ms with loss alone, 103 to 120 ms with ±5 ms on both hops (a width of 20 ms). */
const steadyBufferMs = 60;
const bufferPerWidth = 3;

/**
 * One way, in a second in which each frame lost a packet on each lossy hop and got it at the first asking. `undefined`
 * where a link sets the rate: then pictures wait in their sender, too.
 */
export function pathDelayMs(hops: readonly Hop[], carried: Carried): number | undefined {
  if (hops.some(({ there }) => isNarrow(there, carried) || hasRateOfChance(there))) return undefined;
  const repairs = hops.filter(({ there }) => lossOf(there, carried) > 0).map((hop) => tryMsOf(hop, carried));
  return sum(hops.map(({ there: { delayMs = 0, jitterMs = 0 } }) => delayMs + jitterMs)) + sum(repairs);
}

/** What evens the path out, and what is repaired on the way: each hop answers for what it lost. */
export function pathBufferMs(hops: readonly Hop[], carried: Carried): number {
  const repairs = hops.filter(({ there }) => lossOf(there, carried) > 0).map((hop) => roundTripMs(hop, carried));
  return steadyBufferMs + bufferPerWidth * widthMs(hops) + queuedMs(hops, carried) + sum(repairs);
}

/** The E-model's opinion with the loss and the delays that are set; the jitter buffer is an estimate. */
export function pathMos(hops: readonly Hop[], carried: Carried, loss: number): number {
  const jitterBufferMs = steadyBufferMs + bufferPerWidth * widthMs(hops) + queuedMs(hops, carried);
  const last = hops.at(-1);
  const roundTrip = last ? roundTripMs(last, carried) : 0;
  const percent = 100 * Math.min(1, loss);
  const meanGapMs = soundPacketMs * pathBurst(hops, loss);
  return mosOf({ lossPercent: percent, concealedPercent: percent, jitterBufferMs, meanGapMs }, roundTrip) ?? 1;
}

export interface Freezes {
  readonly perSecond: number;
  readonly eachMs: number;
}

/** libwebrtc's NackRequester: its initial round trip and its interval (kDefaultRtt, kUpdateInterval). */
const unknownRoundTripMs = 100;
const askingEveryMs = 20;
/** A freeze is a gap of three usual ones, or of 150 ms more than one (webrtc-stats, freezeCount). */
const freezeBeyondMs = 150;

/** From when a packet is missing until it comes again. */
function tryMsOf(hop: Hop, carried: Carried): number {
  return Math.max(unknownRoundTripMs, roundTripMs(hop, carried)) + askingEveryMs;
}

/** The picture waits for a packet that is lost, and lost again, until it is repaired. */
export function freezesOf(hop: Hop, carried: Carried): Freezes {
  const lost = lossPercentOf(hop.there) / 100;
  const tryMs = tryMsOf(hop, carried);
  const intervalMs = 1000 / carried.framesPerSecond;
  const triesToFreeze = Math.ceil(Math.max(2 * intervalMs, freezeBeyondMs) / tryMs);
  // A burst that lasts until the packet is sent again takes it once more.
  const stillBad = correlationOf(hop.there.loss) ** ((carried.packetsPerSecond * tryMs) / 1000);
  const again = Math.min(0.95, 1 - (1 - lost) * (1 - stillBad) * (1 - lossPercentOf(hop.back) / 100));
  return {
    perSecond: carried.packetsPerSecond * lost * again ** (triesToFreeze - 1),
    eachMs: intervalMs + triesToFreeze * tryMs + (tryMs * again) / (1 - again),
  };
}

/** Standard deviation: ±5 ms are 2.9, and ±2 ms 1.2, with which it was seen, too, but seldom. */
const rateOfChanceMs = 1;

/**
 * Where congestion control keeps to no rate: it takes delays that differ for a queue that fills. What one minute of
 * such a link had says nothing of the next: docs/lab/networks.md has what was measured. Loss alone does not do
 * it, up to 8 %.
 */
export function hasRateOfChance(link: Link): boolean {
  return Math.sqrt(delayVariance(link)) > rateOfChanceMs;
}

/** Where delays differ by a freeze's length, frames do not come evenly enough for a model. */
export function isTooUneven(hops: readonly Hop[]): boolean {
  return widthMs(hops) >= freezeBeyondMs;
}
