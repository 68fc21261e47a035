import { z } from 'zod';
import { linkSchema, mostNetworks, networkSchema, networkStepSchema } from '../../model/network.js';
import { linkMeasureSchema, networkMeans } from '../../model/network-record.js';

/** What goes over the bus of impaired networks, to the last field. */

const text = z.string().max(2000);
const count = z.number().int().nonnegative();
const networkStepsMax = 1000;
/** A preset, or what was written. */
export const networkName = z.string().min(1).max(2000);

/** As the model has them, to the last field. */
const link = linkSchema.strict();
const networks = networkSchema
  .extend({
    name: networkName,
    up: link,
    down: link,
    steps: z
      .array(networkStepSchema.extend({ up: link, down: link }).strict())
      .max(networkStepsMax)
      .readonly(),
  })
  .strict();
export const networkFacts = z.strictObject({ means: z.enum(networkMeans), why: text });
const linkMeasure = linkMeasureSchema.extend({ sent: count, received: count }).strict();
export const networkCheck = z.strictObject({
  network: networkName,
  set: z.strictObject({ up: link, down: link }),
  measured: z.strictObject({ up: linkMeasure, down: linkMeasure }),
  roundTripMs: z.number().exactOptional(),
  problems: z.array(text).max(100).readonly(),
});

export const networksOrderSchema = z.discriminatedUnion('do', [
  /** The networks of the run's participants, between the probes of this host and the media server. */
  z.strictObject({
    do: z.literal('make-networks'),
    networks: z.array(networks).min(1).max(mostNetworks),
    serverElsewhere: z.boolean(),
  }),
  /** For a trial with at most so many connections in each; it measures them, and says what it found. */
  z.strictObject({ do: z.literal('shape-networks'), connections: z.record(networkName, count) }),
  /** The measured window began then, by the host's own clock. */
  z.strictObject({ do: z.literal('begin-networks'), atMs: z.number().positive() }),
  /** The trial is over. */
  z.strictObject({ do: z.literal('clear-networks') }),
]);
export type NetworksOrder = z.infer<typeof networksOrderSchema>;

/** One of the run's networks, and not of the trial that is under way. */
export function isNetworksOrder<Other extends { readonly do: string }>(
  order: NetworksOrder | Other,
): order is NetworksOrder {
  return order.do.endsWith('-networks');
}

/** How it impairs its probes' networks, or why not; and why only towards a server in its own network. */
export const impairs = networkFacts.extend({ lackElsewhere: text.exactOptional() });
