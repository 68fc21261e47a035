import { z } from 'zod';
import { clusterPlacements, placements } from './placement.js';

const positive = z.number().positive();
const nonnegative = z.number().nonnegative();
const count = z.number().int().positive();
const share = z.number().min(0).max(1);

/** A server that exists in numbers only: what it carries, and what befalls it and the probes. */
const simulatedServerSchema = z.object({
  kind: z.literal('simulated'),
  capacity: positive,
  /** Several servers behind one door, with a capacity each; absent: one. */
  cluster: z.object({ capacities: z.array(positive).min(2), placement: z.enum(placements) }).optional(),
  /** Over so many sizes around the capacity the outcome is chance. */
  flakyWidth: nonnegative.optional(),
  driftPercentPerTrial: z.number().optional(),
  /** Stays until the end of the run: no reset cures it. */
  fatiguePercentPerOverload: nonnegative.optional(),
  symptom: z.enum(['mixed', 'slow', 'loss', 'freeze']).optional(),
  refusesAbove: count.optional(),
  /** With more than this size the probe host is out of CPU. */
  probeLimit: count.optional(),
  /** Share of trials in which a browser crashes. */
  voidRate: share.optional(),
  /** How long joins take that begin before one has been answered; absent: no longer than others. */
  coldJoinMs: positive.optional(),
  seed: z.number().int().nonnegative(),
});

/** A media server: its kind, its address where it has one, and what its kind's own options say. */
export const realServerSchema = z
  .object({
    kind: z
      .string()
      .refine((kind) => kind !== 'simulated', { error: 'is simulated, without what is simulated' })
      .refine((kind) => kind !== 'cluster', { error: 'is a cluster, without its servers' }),
    /** Absent: the run starts it, on this host. */
    url: z.string().optional(),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

const measuredAloneSchema = z.object({
  /** The largest size that it held, and the smallest that it did not; null where nothing larger failed. */
  stable: z.number().int().nonnegative(),
  unstable: count.nullable(),
  /** The run that found it. */
  run: z.string(),
});

const clusterMemberSchema = z.object({
  /** What it is called in events and reports: "A". */
  name: z.string().min(1),
  server: realServerSchema,
  /** Its share of the whole. Absent: in proportion to what each holds alone if that is known of all, else equal. */
  weight: positive.optional(),
  hostType: z.string().optional(),
  /** What it holds alone; absent: not known. */
  alone: measuredAloneSchema.optional(),
});

/** Several media servers of one kind behind one door: each session is on one of them. */
export const clusterServerSchema = z.object({
  kind: z.literal('cluster'),
  members: z.array(clusterMemberSchema).min(2),
  placement: z.enum(clusterPlacements),
  /** The shell command of `--placement command`. */
  placer: z.string().optional(),
});

export const serverSchema = z.union([simulatedServerSchema, clusterServerSchema, realServerSchema]);

export type SimulatedServerPlan = z.infer<typeof simulatedServerSchema>;
export type ServerPlan = z.infer<typeof serverSchema>;
export type RealServerPlan = z.infer<typeof realServerSchema>;
export type ClusterServerPlan = z.infer<typeof clusterServerSchema>;
export type ClusterMemberPlan = ClusterServerPlan['members'][number];
export type MeasuredAlone = z.infer<typeof measuredAloneSchema>;

export function isSimulated(server: ServerPlan): server is SimulatedServerPlan {
  return server.kind === 'simulated';
}

export function isCluster(server: ServerPlan): server is ClusterServerPlan {
  return server.kind === 'cluster';
}

/** Of a cluster the first one, which says of what kind all are. */
export function firstServer(server: RealServerPlan | ClusterServerPlan): RealServerPlan {
  if (!isCluster(server)) return server;
  const [first] = server.members;
  if (!first) throw new Error('a cluster has no servers');
  return first.server;
}

/** How much of the whole each server is to carry beside the others. */
export function weightsOf({ members }: Pick<ClusterServerPlan, 'members'>): readonly number[] {
  const alone = members.map((member) => member.alone?.stable);
  const isMeasured = members.every(({ weight }) => weight === undefined) && !alone.includes(undefined);
  return members.map(({ weight }, nth) => (isMeasured ? alone[nth] : weight) ?? 1);
}
