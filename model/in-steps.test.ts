import { expect, test } from '@playwright/test';
import { atOnce, type InSteps, withPauses } from './in-steps.js';

function* counted(to: number): InSteps<number> {
  let sum = 0;
  for (let number = 1; number <= to; number += 1) {
    sum += number;
    yield;
  }
  return sum;
}

function* twice(to: number): InSteps<number> {
  return (yield* counted(to)) + (yield* counted(to));
}

test('work in steps gives the same at once and with pauses, of which there is one after each step', async () => {
  const pauses: string[] = [];
  const pause = async () => void pauses.push('pause');
  expect(await withPauses(twice(10), pause)).toBe(atOnce(twice(10)));
  expect(pauses).toHaveLength(20);
});

test('what work throws in a later step reaches who drives it', async () => {
  function* failing(): InSteps<never> {
    yield;
    throw new Error('in the second step');
  }
  await expect(withPauses(failing(), async () => undefined)).rejects.toThrow('in the second step');
  expect(() => atOnce(failing())).toThrow('in the second step');
});
