/** How sessions are dealt to the servers of a cluster. */
export const placements = ['round-robin', 'weight', 'least-loaded', 'hash'] as const;
/** Those, and the user's own command, which is asked for each session. */
export const clusterPlacements = [...placements, 'command'] as const;
/** Of a fleet that is computed: none of these knows a weight. */
export const fleetPlacements = ['least-loaded', 'best-of-two', 'round-robin', 'hash'] as const;
export type FleetPlacement = (typeof fleetPlacements)[number];
export type PlacementName = (typeof placements)[number];
export type ClusterPlacement = (typeof clusterPlacements)[number];

/** What a server of a cluster is called where nobody says: A to Z, and from then on by number. */
export function clusterName(nth: number): string {
  return nth < 26 ? String.fromCharCode(65 + nth) : `server ${nth + 1}`;
}
