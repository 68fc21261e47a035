import { expect, test } from '@playwright/test';
import type { TrialOutcome } from '../../model/run.js';
import { answerOfLost, unfinishedAnswer } from './known-so-far.js';

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

/** The trials of a real Kurento that was killed while 4 calls were confirmed. */
test('a server that dies at a size does not hold it, however often it did before', () => {
  const unstable = (size: number): TrialOutcome => ({ size, verdict: 'unstable' });
  const before = [1, 2, 4].map(stable);
  const edge = [unstable(8), unstable(6), stable(5), unstable(6), unstable(5), stable(4), stable(4), stable(4)];
  const history: TrialOutcome[] = [...before, ...edge, { ...unstable(4), lost: true }];
  expect(answerOfLost(history, 'It died.')).toMatchObject({
    outcome: 'server-lost',
    stable: 2,
    unstable: 4,
    flaky: [4, 5],
  });
  expect(answerOfLost(history.slice(0, -1), 'It is not clean.')).toMatchObject({ outcome: 'void', stable: 4 });
});

test('a run that ends early counts no pass that confirms nothing, and says how many there were', () => {
  const disturbed = (size: number): TrialOutcome => ({ ...stable(size), screened: true, disturbed: true });
  const because = (history: readonly TrialOutcome[]) => unfinishedAnswer(history, 'It was stopped.').because;
  expect(because([stable(1), disturbed(4), stable(4), disturbed(4)])).toBe(
    'It was stopped. Known so far, not confirmed: 1 was stable in 1 of 1; 4 was stable in 1 of 1, and in 2 trials that confirmed nothing.',
  );
  expect(because([disturbed(4)])).toContain('4 was stable in 1 trial that confirmed nothing.');
});

test('a run that ends early believes no pass in screening that a failure below it contradicts', () => {
  const history: TrialOutcome[] = [stable(1), { ...stable(8), screened: true }, { size: 4, verdict: 'unstable' }];
  expect(unfinishedAnswer(history, 'It was stopped.')).toMatchObject({ stable: 1, unstable: 4, flaky: [] });
});

test('a run that ends early holds no size above one that only failed, on one pass', () => {
  const history: TrialOutcome[] = [
    stable(7),
    { size: 8, verdict: 'unstable' },
    { size: 8, verdict: 'unstable' },
    stable(9),
  ];
  expect(unfinishedAnswer(history, 'It was stopped.')).toMatchObject({ stable: 7, unstable: 8 });
});

test('a run that ends before anything was judged says so', () => {
  const { because, stable: held } = unfinishedAnswer([{ size: 1, verdict: 'void' }], 'The run was interrupted.');
  expect([because, held]).toEqual(['The run was interrupted. Nothing was found out before.', 0]);
});

test('a server that dies is not said to have held what passed in trials that confirm nothing', () => {
  const lost: TrialOutcome = { size: 64, verdict: 'unstable', lost: true };
  const answer = answerOfLost([stable(1), { ...stable(50), screened: true, disturbed: true }, lost], 'It died.');
  expect(answer).toMatchObject({ outcome: 'server-lost', stable: 1, unstable: 64 });
  expect(answer.because).toContain('50 was stable in 1 trial that confirmed nothing');
});
