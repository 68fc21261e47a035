import { z } from 'zod';
import { infoSchema } from './kurento-options.js';

/** What operations answer, where anybody reads it. */
const answers = {
  getInfo: infoSchema,
  getMetadata: z.string(),
  getRecordingFolder: z.string().startsWith('/').nullable(),
  /** In percent of one core, whole numbers. */
  getUsedCpu: z.number(),
  /** KiB. */
  getUsedMemory: z.number(),
  getPipelines: z.array(z.string()),
  getTag: z.string(),
  processOffer: z.string().min(1),
};

type Answers = typeof answers;
/** Of an operation that is not listed, only the success matters. */
export type Answer<Operation extends string> = Operation extends keyof Answers ? z.infer<Answers[Operation]> : unknown;

export function answerSchema<Operation extends string>(operation: Operation) {
  const schemas: Readonly<Record<string, z.ZodType | undefined>> = answers;
  return schemas[operation] as z.ZodType<Answer<Operation>> | undefined;
}
