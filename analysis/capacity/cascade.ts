import { type Spare, withSpare } from './spare.js';

/** One level of a cascade, from the hosts that viewers are on up to the one that the presenter sends to. */
export interface Tier {
  readonly role: 'edge' | 'relay' | 'origin' | 'only';
  /** Of all broadcasts, without those that are spare. */
  readonly needed: number;
  readonly hosts: number;
}

/**
 * The hosts of some broadcasts with so many viewers each. A host that feeds another spends on it what a viewer costs,
 * as no run has shown anything else; so a host feeds as many as it carries viewers. Spare hosts are fed as well. `null`
 * where a host carries so few viewers that a level needs no fewer hosts than the one it feeds.
 */
export function cascadeTiers(viewers: number, perHost: number, spare: Spare, broadcasts = 1): readonly Tier[] | null {
  if (viewers === 0) return [];
  const tierOf = (role: Tier['role'], each: number): Tier => {
    const needed = each * broadcasts;
    return { role, needed, hosts: withSpare(needed, spare) };
  };
  const edges = Math.ceil(viewers / perHost);
  if (edges === 1) return [tierOf('only', 1)];
  const tiers = [tierOf('edge', edges)];
  for (let each = edges; each > 1; ) {
    const fed = Math.ceil((tiers.at(-1)?.hosts ?? 0) / broadcasts);
    const above = Math.ceil(fed / perHost);
    if (above >= each) return null;
    tiers.push(tierOf(above === 1 ? 'origin' : 'relay', above));
    each = above;
  }
  return tiers;
}

/** Copies of the stream that go from host to host. */
export function feedsOf(tiers: readonly Tier[]): number {
  return tiers.slice(0, -1).reduce((sum, { hosts }) => sum + hosts, 0);
}
