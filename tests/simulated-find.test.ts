import { expect, test } from '@playwright/test';
import { oneToOne } from '../scenarios/one-to-one.js';
import { findLimit } from '../trial/find-limit.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

const never = new AbortController().signal;

test('a simulated server that holds 18 calls is found to hold 18', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 18 });
  const t = performance.now();
  const result = await findLimit(aPlan({ max: 64 }), oneToOne, parts, never);
  console.log(
    performance.now() - t,
    JSON.stringify(result.trials.map((t) => [t.size, t.verdict, t.reasons[0]?.text])),
    result.because,
  );
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 18, unstable: 19 } });
  expect(events.at(-1)?.type).toBe('run-ended');
});
