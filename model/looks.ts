import { z } from 'zod';

/** What full probes look at beside getStats, as parts of the plan's media. */
export const looks = {
  /** They draw marks into their pictures, and read those that they are shown. Absent: not so. */
  drawnMarks: z.literal(true).optional(),
  /** This number of probes of each host compare shown pictures with those that were sent. Absent: none. */
  see: z.number().int().positive().optional(),
};
