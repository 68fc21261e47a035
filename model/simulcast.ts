import { z } from 'zod';
import { layerNames } from './layer.js';

/** That senders send layers, and which of them receivers ask for. In plans; layers themselves are known in pages. */
export const simulcastSchema = z.object({
  /** What the server calls the layers (RFC 8851), the lowest first. */
  rids: z.array(z.string()).length(layerNames.length).readonly(),
  /** Of all that a receiver shows, but for who speaks. */
  asked: z.enum(layerNames),
  /** Of the others so many are shown at a time; absent: all. */
  visible: z.number().int().min(1).optional(),
  /** Of who speaks; absent: as of the others. */
  speaker: z.enum(layerNames).optional(),
});

export type Simulcast = z.infer<typeof simulcastSchema>;

/** What windows of apps show: how many of the others, and in which layers. Of 1280 px a tile has 426 in a 3x3, 256 in a 5x5. */
export const layouts = {
  speaker: { visible: 6, asked: 'low', speaker: 'high' },
  '3x3': { visible: 9, asked: 'middle' },
  '5x5': { visible: 25, asked: 'low' },
} as const satisfies Readonly<Record<string, Omit<Simulcast, 'rids'>>>;
export const layoutNames = ['speaker', '3x3', '5x5'] as const satisfies readonly (keyof typeof layouts)[];
