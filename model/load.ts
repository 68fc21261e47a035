import { z } from 'zod';
import { arrivalsPlanSchema, leadInMs } from './arrivals.js';

/** What a size counts: sessions that are there at a time, or sessions that come. */
export const loadSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('sessions') }),
  arrivalsPlanSchema.extend({ by: z.literal('arrivals') }),
]);

export type Load = z.infer<typeof loadSchema>;

/** A size is how fast sessions come. */
export type RateLoad = Extract<Load, { readonly by: 'arrivals' }>;

/** Whether participants come and go all the time, instead of joining and staying to the end. */
export function comeAndGo<Some extends { readonly by: Load['by'] }>(
  load: Some,
): load is Extract<Some, { readonly by: RateLoad['by'] }> {
  return load.by === 'arrivals';
}

/** What became of those who came in a trial, where they are counted and not listed. */
export function countedIn<Counted>({ arrivals }: { readonly arrivals?: Counted | undefined }): Counted | undefined {
  return arrivals;
}

/** What a trial waits for before its window: as many leave as come, or rates have stopped growing. */
export function beforeWindowMs(load: Load, { settleMs }: { readonly settleMs: number }): number {
  return comeAndGo(load) ? leadInMs(load) : settleMs;
}
