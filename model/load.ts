import { z } from 'zod';
import { arrivalsPlanSchema } from './arrivals.js';

/** What a size counts: sessions that are there at a time, or sessions that come. */
export const loadSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('sessions') }),
  arrivalsPlanSchema.extend({ by: z.literal('arrivals') }),
]);

export type Load = z.infer<typeof loadSchema>;

/** Whether participants come and go all the time, instead of joining and staying to the end. */
export function comeAndGo({ by }: { readonly by: Load['by'] }): boolean {
  return by === 'arrivals';
}
