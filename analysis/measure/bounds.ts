import type { Aggregates } from '../../model/aggregate.js';

/**
 * Between what values the aggregates of a stream can still end, whatever the rest of the window brings. Only those are
 * here that something limits: counts that never fall, means of what is never negative, and rates that a camera and a
 * rate cap hold down. `lowest` is for limits from above, `highest` for limits from below.
 */
export interface Bounds {
  readonly lowest: Aggregates;
  readonly highest: Aggregates;
}
