import { z } from 'zod';
import { scalabilityModes } from './codec.js';
import { layerNames } from './layer.js';

const shown = {
  /** Of all that a receiver shows, but for who speaks. */
  asked: z.enum(layerNames),
  /** Of the others so many are shown at a time; absent: all. */
  visible: z.number().int().min(1).optional(),
  /** Of who speaks; absent: as of the others. */
  speaker: z.enum(layerNames).optional(),
};
const shownSchema = z.object(shown);
/** Which layers receivers ask for. */
export type Shown = z.infer<typeof shownSchema>;

/** Layers within one stream. */
export const svcSchema = z.object({ mode: z.enum(scalabilityModes), ...shown });

/** That senders send layers, and which of them receivers ask for. In plans; layers themselves are known in pages. */
export const layered = {
  /** Each is a stream of its own; `rids` are what the server calls them (RFC 8851), the lowest first. */
  simulcast: z.object({ rids: z.array(z.string()).length(layerNames.length).readonly(), ...shown }).optional(),
  svc: svcSchema.optional(),
};

/** How many others windows of apps show, and in which layers. Of 1280 px a tile has 426 in a 3x3, 256 in a 5x5. */
export const layouts = {
  speaker: { visible: 6, asked: 'low', speaker: 'high' },
  '3x3': { visible: 9, asked: 'middle' },
  '5x5': { visible: 25, asked: 'low' },
} as const satisfies Readonly<Record<string, Shown>>;
export const layoutNames = ['speaker', '3x3', '5x5'] as const satisfies readonly (keyof typeof layouts)[];
