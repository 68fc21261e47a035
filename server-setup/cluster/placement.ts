import type { PlacementName } from '../../model/placement.js';
import { hashOfText, spread } from '../../model/text-hash.js';

/** A server of a cluster as whoever places sessions sees it. */
export interface Candidate {
  readonly name: string;
  /** How much of the whole it is to carry, beside the others. */
  readonly weight: number;
  /** Sessions that were placed on it and have not left. */
  readonly sessions: number;
  /** Its own evidence of how busy it is, 0 to 1; absent where it tells none. */
  readonly busy?: number;
}

/** Says on which server the next session goes, by its index. */
export type Placement = (session: string, candidates: readonly Candidate[]) => number;

/** One that somebody else is asked for. Rejects where there is no answer. */
export type AskedPlacement = (session: string, candidates: readonly Candidate[]) => Promise<number>;

export function placementOf(name: PlacementName): Placement {
  switch (name) {
    case 'round-robin':
      return roundRobin();
    case 'weight':
      return (_, candidates) => least(candidates.map(({ sessions, weight }) => (sessions + 1) / weight));
    case 'least-loaded':
      return leastLoaded;
    case 'hash':
      return (session, candidates) => spread(hashOfText(session)) % candidates.length;
  }
}

/** One after the other, whatever they carry. */
function roundRobin(): Placement {
  let next = -1;
  return (_, candidates) => {
    next = (next + 1) % candidates.length;
    return next;
  };
}

/** By what the servers say themselves. One that says nothing cannot be compared: then the sessions that it has are. */
const leastLoaded: Placement = (_, candidates) => {
  if (candidates.some(({ busy }) => busy === undefined)) return least(candidates.map(({ sessions }) => sessions));
  return least(candidates.map(({ busy = 0 }) => busy));
};

/** The first of the smallest. */
function least(values: readonly number[]): number {
  return values.indexOf(Math.min(...values));
}
