import { z } from 'zod';
import { messagesRange } from './data-messages.js';

const byte = z.number().int().min(0).max(255);

/** Messages on data channels, as the server has them sent. In plans, and in what hosts are told. */
export const dataSchema = z.object({
  label: z.string().min(1).max(100),
  head: z.array(byte).max(100).readonly(),
  /** Messages a second of each who sends. */
  perSecond: z.number().int().min(messagesRange.from).max(messagesRange.to),
});
