import type { AggregateName } from '../../model/aggregate.js';
import { bestMos, meanOpinionScore, soundPacketMs } from '../measure/mos.js';
import { mostWrongPercent } from './layer-rules.js';
import { chanceAbove, chanceBetween, rareness, sigmas, sigmasAmong, sigmasOfWorst } from './link-chance.js';
import {
  type Freezes,
  fittingShare,
  freezesOf,
  hasRateOfChance,
  isTooUneven,
  pathBufferMs,
  pathDelayMs,
  pathGoesOn,
  pathJitterMs,
  pathLoss,
  pathMos,
  pathSpread,
  pathWaitMs,
} from './link-model.js';
import type { Alone, LinkedValue, LinkShare, Path } from './linked-value.js';

/** The worst 5 s of a shorter time are the whole of it. */
const worstSeconds = ({ windowSeconds }: Path): number => Math.min(5, windowSeconds);
/** Chromium's shortest freeze at 30 frames per second, where the model knows none. */
const shortestFreezeMs = 180;

function lossBySetting({ hops, carried, among }: Path, seconds: number, ofOne: number): LinkShare {
  const z = sigmasAmong(among, ofOne);
  const loss = pathLoss(hops, carried);
  const packets = carried.packetsPerSecond * seconds;
  return { share: 100 * loss, chance: (100 * chanceAbove(loss * packets, loss, pathSpread(hops), z)) / packets };
}

function lossByBaseline(path: Path, percent: number, seconds: number, ofOne: number): LinkShare {
  const { hops, carried, among } = path;
  const z = sigmasAmong(among, ofOne);
  const packets = carried.packetsPerSecond * seconds;
  return { share: percent, chance: (100 * chanceBetween((percent / 100) * packets, pathSpread(hops), z)) / packets };
}

/** Percent of the time: of frames that come late for repair, and of those that do not fit through. */
function frozenBySetting({ hops, carried, windowSeconds, among }: Path): LinkShare | undefined {
  if (isTooUneven(hops)) return undefined;
  const freezes = hops.map((hop) => freezesOf(hop, carried));
  const count = windowSeconds * freezes.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const still = freezes.reduce((sum, { perSecond, eachMs }) => sum + (perSecond * eachMs) / 1000, 0);
  // Freezes that overlap are one.
  const share = 100 * (1 - fittingShare(hops, carried) * Math.exp(-still));
  const ofOne = freezeShare(freezes, windowSeconds);
  return { share, chance: ofOne * chanceAbove(count, 0, 1, sigmasAmong(among, sigmas)) };
}

/** Of pictures that freeze and of sound that is lost alike, over the minute that they are held against. */
function gapsBySetting(path: Path): LinkShare | undefined {
  const ofMinute = { ...path, windowSeconds: 60 };
  const frozen = frozenBySetting(ofMinute);
  const lost = lossBySetting(ofMinute, 60, sigmas);
  return frozen && { share: frozen.share + lost.share, chance: frozen.chance + lost.chance };
}

function frozenByBaseline({ hops, carried, windowSeconds, among }: Path, percent: number): LinkShare {
  const freezes = hops.map((hop) => freezesOf(hop, carried));
  const ofOne = freezeShare(freezes, windowSeconds);
  return { share: percent, chance: ofOne * chanceBetween(percent / ofOne, 1, sigmasAmong(among, sigmas)) };
}

/** One freeze as a share of the window, percent. */
function freezeShare(freezes: readonly Freezes[], windowSeconds: number): number {
  return Math.max(shortestFreezeMs, ...freezes.map(({ eachMs }) => eachMs)) / (10 * windowSeconds);
}

/**
 * Of what the baseline lost, Opus may have repaired nearly all from the packet behind (in-band FEC, RFC 6716, 2.1.7).
 * Whether it does is the sender's, differs from one browser to the next, and probes that send a clip do not; so the
 * baseline promises no more than it would have had without.
 */
function mosByBaseline(path: Path, mos: number, percent: number): LinkShare {
  const { chance } = lossByBaseline(path, percent, path.windowSeconds, sigmas);
  const isLossy = pathLoss(path.hops, path.carried) > 0;
  const share = isLossy ? Math.min(mos, pathMos(path.hops, path.carried, percent / 100)) : mos;
  return { share, chance: meanOpinionScore(0, percent) - meanOpinionScore(0, percent + chance) };
}

function mosBySetting(path: Path): LinkShare {
  const { hops, carried } = path;
  const { share, chance } = lossBySetting(path, path.windowSeconds, sigmas);
  const mos = pathMos(hops, carried, share / 100);
  return { share: mos, chance: mos - pathMos(hops, carried, (share + chance) / 100) };
}

/** Percent of the camera's (or the mix's) frames that fit through and do not come while the picture stands. */
function framesBySetting(path: Path): LinkShare | undefined {
  if (path.direction === 'send') return { share: 100 * fittingShare(path.hops, path.carried), chance: 0 };
  const frozen = frozenBySetting(path);
  return frozen && { share: 100 - frozen.share, chance: frozen.chance };
}

function framesByBaseline(path: Path, { frozenPercent }: Alone): LinkShare {
  const chance = frozenPercent === undefined ? 0 : frozenByBaseline(path, frozenPercent).chance;
  return { share: 100, chance };
}

/** Whether nothing says which rate, and so which layer, links carry: receivers take delays that differ for a queue. */
const isRateOfChance = ({ hops }: Path): boolean => hops.some(({ there }) => hasRateOfChance(there));

/** What is lost does not arrive: the rate varies by as much as the loss does. */
function rateByBaseline(path: Path, { lossPercent }: Alone): LinkShare | undefined {
  if (isRateOfChance(path)) return undefined;
  const isLost = path.direction === 'receive' && lossPercent !== undefined;
  const chance = isLost ? lossByBaseline(path, lossPercent, path.windowSeconds, sigmas).chance : 0;
  return { share: 100, chance };
}

/** Nothing says what it should be behind an impaired link. */
const unjudged: LinkedValue = { best: 0, bySetting: () => undefined, byBaseline: () => undefined };

/** Where congestion control keeps to no rate, pictures wait in their sender for as long as it likes. */
const delayByLink: LinkedValue = {
  best: 0,
  bySetting: ({ hops, carried }) => {
    const ms = pathDelayMs(hops, carried);
    return ms === undefined ? undefined : { share: ms, chance: 0 };
  },
  byBaseline: () => undefined,
};

/** One session alone had a lower layer for most of the time: that is the right one, whenever a higher one was tried. */
const mostOfTimePercent = 50;

export const linkedValues: Readonly<Partial<Record<AggregateName, LinkedValue>>> = {
  lossPercent: {
    best: 0,
    bySetting: (path) => lossBySetting(path, path.windowSeconds, sigmas),
    byBaseline: (path, { lossPercent }) =>
      lossPercent === undefined ? undefined : lossByBaseline(path, lossPercent, path.windowSeconds, sigmas),
  },
  worstLossPercent5s: {
    best: 0,
    bySetting: (path) => lossBySetting(path, worstSeconds(path), sigmasOfWorst),
    byBaseline: (path, { worstLossPercent5s, lossPercent = 0 }) =>
      worstLossPercent5s === undefined
        ? undefined
        : lossByBaseline(path, Math.max(worstLossPercent5s, lossPercent), worstSeconds(path), sigmasOfWorst),
  },
  // A baseline says nothing of how long the longest of another window may be.
  longestGapMs: { best: 0, bySetting: gapBySetting, byBaseline: () => undefined },
  jitterMs: {
    best: 0,
    bySetting: ({ hops, carried }) => ({ share: pathJitterMs(hops, carried), chance: 0 }),
    byBaseline: (_, { jitterMs }) => (jitterMs === undefined ? undefined : { share: jitterMs, chance: 0 }),
  },
  delayMs: delayByLink,
  delayP95Ms: delayByLink,
  shownMs: delayByLink,
  shownP95Ms: delayByLink,
  // A mixer shows the last picture of whoever is cut off by a link.
  stillPercent: unjudged,
  missingPercent: unjudged,
  // Links that change or fill make delays that grow.
  delayRiseMs: unjudged,
  frozenPercent: {
    best: 0,
    bySetting: frozenBySetting,
    byBaseline: (path, { frozenPercent }) =>
      frozenPercent === undefined ? undefined : frozenByBaseline(path, frozenPercent),
  },
  belowLayerPercent: {
    best: 0,
    bySetting: () => undefined,
    byBaseline: (path, { belowLayerPercent: alone }) =>
      alone === undefined || isRateOfChance(path)
        ? undefined
        : { share: alone > mostOfTimePercent ? 100 : alone, chance: 0 },
  },
  // A switch to a layer that does not fit never comes.
  switchP95Ms: {
    best: 0,
    bySetting: () => undefined,
    byBaseline: (path, { belowLayerPercent: alone = 100 }) =>
      alone > mostWrongPercent || isRateOfChance(path) ? undefined : { share: 0, chance: 0 },
  },
  unaskedSwitches: unjudged,
  seatedGapPercent: {
    best: 0,
    bySetting: gapsBySetting,
    // One session alone joins in so short a time that hardly anybody sits meanwhile.
    byBaseline: () => undefined,
  },
  stutterMs: {
    best: 0,
    bySetting: () => undefined,
    byBaseline: (_, { stutterMs }) => (stutterMs === undefined ? undefined : { share: stutterMs, chance: 0 }),
  },
  jitterBufferMs: {
    best: 0,
    bySetting: ({ hops, carried }) => ({ share: pathBufferMs(hops, carried), chance: 0 }),
    byBaseline: (_, { jitterBufferMs }) =>
      jitterBufferMs === undefined ? undefined : { share: jitterBufferMs, chance: 0 },
  },
  mos: {
    best: bestMos,
    bySetting: mosBySetting,
    byBaseline: (path, { mos, lossPercent = 100 * pathLoss(path.hops, path.carried) }) =>
      mos === undefined ? undefined : mosByBaseline(path, mos, lossPercent),
  },
};

/** Of the values that are judged as shares of the baseline, in percent of it. */
export const linkedShares: Readonly<Partial<Record<AggregateName, LinkedValue>>> = {
  fps: { best: 100, bySetting: framesBySetting, byBaseline: framesByBaseline },
  bitrateKbps: { best: 100, bySetting: () => undefined, byBaseline: rateByBaseline },
  // An encoder that is allowed less makes its pictures smaller.
  frameWidth: {
    best: 100,
    bySetting: () => undefined,
    byBaseline: (path) => (isRateOfChance(path) ? undefined : { share: 100, chance: 0 }),
  },
};

/**
 * The longest stretch without sound that a link explains. Of N packets, runs of k or more that are lost begin N · p ·
 * c^(k−1) times, p the loss and c that it goes on; k is where that is as rare as all chance that is excused. A packet
 * that is not lost may be late by as much as delays of the link differ.
 */
function gapBySetting({ hops, carried, windowSeconds, among }: Path) {
  const loss = pathLoss(hops, carried);
  const goesOn = pathGoesOn(hops, loss);
  const begun = carried.packetsPerSecond * windowSeconds * loss * among;
  const longest = begun === 0 ? 0 : 1 + Math.max(0, Math.log(begun / rareness) / -Math.log(goesOn));
  const chance = longest * soundPacketMs + pathWaitMs(hops, carried);
  return { share: 0, chance: Math.min(1000 * windowSeconds, chance) };
}
