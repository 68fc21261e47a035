import { soundPacketMs } from '../measure/mos.js';
import { rareness } from './link-chance.js';
import { type Carried, pathGoesOn, pathLoss, pathWaitMs } from './link-model.js';
import type { Hop } from './link-path.js';

interface GapPath {
  readonly hops: readonly Hop[];
  readonly carried: Carried;
  readonly windowSeconds: number;
  /** How many streams are judged beside each other. */
  readonly among: number;
}

/**
 * The longest stretch without sound that a link explains. Of N packets, runs of k or more that are lost begin N · p ·
 * c^(k−1) times, p the loss and c that it goes on; k is where that is as rare as all chance that is excused. A packet
 * that is not lost may be late by as much as delays of the link differ.
 */
export function gapBySetting({ hops, carried, windowSeconds, among }: GapPath) {
  const loss = pathLoss(hops, carried);
  const goesOn = pathGoesOn(hops, loss);
  const begun = carried.packetsPerSecond * windowSeconds * loss * among;
  const longest = begun === 0 ? 0 : 1 + Math.max(0, Math.log(begun / rareness) / -Math.log(goesOn));
  const chance = longest * soundPacketMs + pathWaitMs(hops, carried);
  return { share: 0, chance: Math.min(1000 * windowSeconds, chance) };
}
