import { expect, test } from '@playwright/test';
import type { TrialOutcome } from '../../model/run.js';
import { unfinishedAnswer } from './known-so-far.js';

const stable = (size: number): TrialOutcome => ({ size, verdict: 'stable' });

test('a run that ends when its server goes away tells how often each size had been stable', () => {
  const four: TrialOutcome[] = [
    stable(4),
    stable(4),
    stable(4),
    stable(4),
    { size: 4, verdict: 'unstable', lost: true },
  ];
  const answer = unfinishedAnswer([stable(1), stable(2), ...four], 'The media server went away.');
  expect(answer).toMatchObject({ outcome: 'void', stable: 4, unstable: null, flaky: [4] });
  expect(answer.because).toBe(
    'The media server went away. Known so far, not confirmed: 1 was stable in 1 of 1; 2 was stable in 1 of 1; 4 was stable in 4 of 5, and in the last the server went away.',
  );
});

test('a run that ends before anything was judged says so', () => {
  const { because, stable: held } = unfinishedAnswer([{ size: 1, verdict: 'void' }], 'The run was interrupted.');
  expect([because, held]).toEqual(['The run was interrupted. Nothing was found out before.', 0]);
});
