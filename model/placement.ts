/** How sessions are dealt to the servers of a cluster. */
export const placements = ['round-robin', 'weight', 'least-loaded', 'hash'] as const;
/** Those, and the user's own command, which is asked for each session. */
export const clusterPlacements = [...placements, 'command'] as const;
export type PlacementName = (typeof placements)[number];
export type ClusterPlacement = (typeof clusterPlacements)[number];

/** What a server of a cluster is called where nobody says: A to Z, and from then on by number. */
export function clusterName(nth: number): string {
  return nth < 26 ? String.fromCharCode(65 + nth) : `server ${nth + 1}`;
}
