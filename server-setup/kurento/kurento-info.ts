import { z } from 'zod';

export const infoSchema = z.object({
  type: z.literal('KMS'),
  version: z.string(),
  modules: z.array(z.looseObject({ factories: z.array(z.string()) })).optional(),
});

export type KurentoInfo = z.infer<typeof infoSchema>;
