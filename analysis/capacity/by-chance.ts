import { fewestFrom, placesFor, poissonAbove } from '../statistics/erlang.js';
import { overloadedShare, turnedAwayShare } from '../statistics/placed-load.js';
import type { ByChance, FullHouse } from './ask.js';

/** How many may be there at once: as many places as one pool would need. */
export function placesByChance({ loadErlangs, fullHouse }: ByChance): number {
  const { share, what } = fullHouse;
  if (what !== 'overloaded') return placesFor(loadErlangs, share, what);
  return fewestFrom(0, loadErlangs, (places) => poissonAbove(places, loadErlangs) <= share);
}

/** The fewest hosts with so many places each that keep the share. */
export function hostsByChance({ loadErlangs, fullHouse }: ByChance, units: number, perHost: number): number {
  const together = Math.ceil(units / perHost);
  if (fullHouse.what === 'waits' || fullHouse.placement === 'least-loaded') return together;
  const { placement, share } = fullHouse;
  const shareOf = shareBy(fullHouse);
  return fewestFrom(1, together, (hosts) => shareOf(placement, { loadErlangs, hosts, places: perHost }) <= share);
}

export const shareBy = ({ what }: FullHouse) => (what === 'overloaded' ? overloadedShare : turnedAwayShare);

/** Hosts fill up one by one where nothing places by what is there. */
export function isOnePool({ fullHouse }: ByChance): boolean {
  return fullHouse.what === 'waits' || fullHouse.placement === 'least-loaded';
}
