import { z } from 'zod';
import { readExpectation } from '../../analysis/compare/expectations.js';

const error = 'must be an expectation: one-to-one >= 40 calls on c5.2xlarge';
const expectation = z.string({ error }).refine((text) => readExpectation(text) !== undefined, { error });

/** `capacity.yaml`: what each scenario has to hold. */
export const expectationsSchema = z.strictObject({
  expect: z.array(expectation, { error: 'must be a list of expectations' }).min(1, { error: 'must not be empty' }),
});
