import { expect, test } from '@playwright/test';
import { separateFailures } from './separate-failures.js';

/** "4-" is a trial of 4 that failed, "3+" one of 3 that passed, "4?" one of 4 that was void. */
function counted(trials: string, size: number): number {
  const verdicts = { '+': 'stable', '-': 'unstable', '?': 'void' } as const;
  return separateFailures(
    trials.split(' ').map((text) => {
      return { size: Number(text.slice(0, -1)), verdict: verdicts[text.slice(-1) as keyof typeof verdicts] };
    }),
    size,
  );
}

test('failures in a row are one, whatever failed or was void between them', () => {
  expect(counted('1+ 2+ 4- 4-', 4)).toBe(1);
  expect(counted('1+ 2+ 4- 3- 3? 4-', 4)).toBe(1);
});

test('failures between which something was stable are as many', () => {
  expect(counted('1+ 2+ 4- 3+ 4- 5- 4- 3+ 3+ 4-', 4)).toBe(3);
});

test('a size that never failed has none', () => {
  expect(counted('1+ 2+ 4-', 2)).toBe(0);
});
