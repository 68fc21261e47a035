import { z } from 'zod';

const name = z.string().min(1);
const count = z.number().int().nonnegative();

/** So many members of a room in a role, which the app's address and the join script are told. */
const visitRoleSchema = z.object({ role: name, count: count.min(1) });

/** What a member of a role sends and how many streams of each kind it receives. */
const visitExpectationSchema = z.object({
  role: name,
  sends: z.array(z.enum(['audio', 'video'])).readonly(),
  audio: count,
  video: count,
  /** That its page has open; absent: nobody counted. */
  connections: count.optional(),
});

/** How a web app is visited. */
export const visitPlanSchema = z.object({
  /** Absolute path of the join script; absent: opening the address is joining. */
  join: z.string().optional(),
  /** Absolute path of a module that joins by the app's client library, in place of its page and of a join script. */
  library: z.string().optional(),
  /** Absolute path of the file of users, each of whom one participant of a trial is. */
  users: z.string().optional(),
  /** Addresses that pages do not load, with `*` for anything. */
  block: z.array(name).readonly().optional(),
  /** True: pages that have joined go on being painted; absent: they go out of view. */
  painted: z.boolean().optional(),
  /** True: pictures are neither decoded nor, once they are recorded, encoded; absent: as the app's pages do. */
  encoded: z.boolean().optional(),
  /** Who is in a room, in this order; absent: members alone. */
  roles: z.array(visitRoleSchema).readonly().optional(),
  /** How many streams of each kind at least must arrive at each, as it was asked. */
  atLeast: z.object({ audio: count.optional(), video: count.optional() }).optional(),
  /** What must arrive, as one session alone showed; absent: nobody has looked yet. */
  expect: z.array(visitExpectationSchema).readonly().optional(),
  /** True: it had not come to rest when it was looked at no longer. */
  stillChanges: z.boolean().optional(),
});

export type VisitPlan = z.infer<typeof visitPlanSchema>;
export type VisitExpectation = z.infer<typeof visitExpectationSchema>;
export type VisitRole = z.infer<typeof visitRoleSchema>;

/** The app's address with something in each place: its host and port are those of every participant's. */
export const someAddress = (template: string): URL => new URL(template.replaceAll(/\{[a-z]+\}/g, 'x'));
