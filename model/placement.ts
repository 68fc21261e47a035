/** How sessions are dealt to the servers of a cluster. */
export const placements = ['round-robin', 'weight', 'least-loaded', 'hash'] as const;
export type PlacementName = (typeof placements)[number];
