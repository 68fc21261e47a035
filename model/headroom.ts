/** How near something came to its limits, best first; what the strategy `ramp` steers by. */
export const headroomLevels = ['bold', 'moderate', 'cautious', 'no-more', 'back-off'] as const;
export type HeadroomLevel = (typeof headroomLevels)[number];
