import { z } from 'zod';
import { layerNames } from './layer.js';

/** That senders send layers, and which of them receivers ask for. In plans; layers themselves are known in pages. */
export const simulcastSchema = z.object({
  /** What the server calls the layers (RFC 8851), the lowest first. */
  rids: z.array(z.string()).length(layerNames.length).readonly(),
  asked: z.enum(layerNames),
});
