import { z } from 'zod';

const percent = z.number().min(0).max(100);
const ms = z.number().nonnegative();

/** How `tc-netem(8)` spreads a jitter; without a table it is uniform. */
export const distributions = ['uniform', 'normal', 'pareto', 'paretonormal'] as const;

/**
 * Lost packets: each by chance, or in bursts by the Gilbert-Elliott model, whose two states are entered and left with
 * these probabilities per packet (Salsano, "Definition of a general and intuitive loss model", as netem has it).
 */
const lossSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('random'), percent, correlationPercent: percent.optional() }),
  z.object({
    kind: z.literal('bursts'),
    /** From the good state to the bad one. */
    enterPercent: percent,
    leavePercent: percent,
    lossInBadPercent: percent,
    lossInGoodPercent: percent,
  }),
]);

/** What is done to the packets of one direction. An absent part is not touched. */
export const linkSchema = z.object({
  delayMs: ms.optional(),
  /** Half the width of a uniform spread, one standard deviation of the others. */
  jitterMs: ms.optional(),
  jitterCorrelationPercent: percent.optional(),
  distribution: z.enum(distributions).optional(),
  loss: lossSchema.optional(),
  duplicatePercent: percent.optional(),
  duplicateCorrelationPercent: percent.optional(),
  /** This share is sent at once, ahead of what is being delayed. */
  reorderPercent: percent.optional(),
  reorderCorrelationPercent: percent.optional(),
  corruptPercent: percent.optional(),
  /** Of each connection, bits per second. */
  rateBps: z.number().positive().optional(),
  /** What may wait; one of the two, or neither. */
  queuePackets: z.number().int().positive().optional(),
  queueMs: ms.optional(),
});

/** From this time of the measured window on, for so long (absent: to its end), these parts are other ones. */
export const networkStepSchema = z.object({
  atMs: ms,
  forMs: ms.optional(),
  up: linkSchema,
  down: linkSchema,
});

/** The network of a group of participants. Each of their connections has such a link to itself. */
export const networkSchema = z.object({
  /** Unique within a plan; a preset's name, or what was written. */
  name: z.string().min(1),
  /** Of all participants; one network alone has 100. */
  sharePercent: z.number().positive().max(100),
  /** From the participant to the media server. */
  up: linkSchema,
  down: linkSchema,
  steps: z.array(networkStepSchema).readonly(),
});

export const mostNetworks = 8;
export const networksSchema = z.array(networkSchema).min(1).max(mostNetworks).readonly();

export type Loss = z.infer<typeof lossSchema>;
export type Link = z.infer<typeof linkSchema>;
export type NetworkStep = z.infer<typeof networkStepSchema>;
export type Network = z.infer<typeof networkSchema>;

/** True when packets pass as they come. */
function isClean(link: Link): boolean {
  return Object.values(link).every((value) => value === undefined);
}

/** True when neither direction is ever touched. */
export function isCleanNetwork({ up, down, steps }: Network): boolean {
  return [up, down, ...steps.flatMap((step) => [step.up, step.down])].every(isClean);
}

/** Of the packets that enter a link, the share that does not come out by chance, 0 to 100. Full queues come on top. */
export function lossPercentOf({ loss, corruptPercent }: Link): number {
  const lost = loss === undefined ? 0 : meanLossPercent(loss);
  // A corrupted packet fails its checksum and is never handed on.
  return 100 - ((100 - lost) * (100 - (corruptPercent ?? 0))) / 100;
}

function meanLossPercent(loss: Loss): number {
  if (loss.kind === 'random') return loss.percent;
  const { enterPercent, leavePercent, lossInBadPercent, lossInGoodPercent } = loss;
  const changes = enterPercent + leavePercent;
  const bad = changes === 0 ? 0 : enterPercent / changes;
  return bad * lossInBadPercent + (1 - bad) * lossInGoodPercent;
}

/** What a network does at a time of the window (negative: before it). Where two steps overlap, the later holds. */
export function linksAt({ up, down, steps }: Network, atMs: number): { readonly up: Link; readonly down: Link } {
  const active = steps.filter(
    (step) => atMs >= step.atMs && (step.forMs === undefined || atMs < step.atMs + step.forMs),
  );
  return active.reduce((links, step) => ({ up: { ...links.up, ...step.up }, down: { ...links.down, ...step.down } }), {
    up,
    down,
  });
}

/** The times of the measured window at which a network becomes another one, ascending. */
export function changesOf({ steps }: Network): readonly number[] {
  const times = steps.flatMap(({ atMs, forMs }) => (forMs === undefined ? [atMs] : [atMs, atMs + forMs]));
  return [...new Set(times)].sort((a, b) => a - b);
}
