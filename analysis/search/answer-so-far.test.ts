import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import { answerSoFar } from './search.js';

const options = searchSchema.parse({});
const stopped = 'The time budget of 45 min is used up.';

const stable = (size: number) => ({ size, verdict: 'stable' }) as const;
const unstable = (size: number) => ({ size, verdict: 'unstable' }) as const;
const steered = (size: number) => ({ size, verdict: 'stable', screened: true }) as const;
const exhausted = (size: number) => ({ size, verdict: 'void', probesExhausted: true }) as const;

test('a search cut short answers with its interval and on how many trials each side rests', () => {
  expect(answerSoFar(options, 1, [stable(1), stable(8), unstable(16), stable(12)], stopped)).toEqual({
    outcome: 'found',
    stable: 12,
    unstable: 16,
    flaky: [],
    because: `${stopped} Until then 12 was stable in 1 of 1 trials, 16 in 0 of 1.`,
    cutShort: true,
  });
});

test('a size that failed is not the stable side of a search cut short, nor a passed one the unstable side', () => {
  const history = [stable(1), stable(8), unstable(16), stable(12), unstable(12)];
  expect(answerSoFar(options, 1, history, stopped)).toMatchObject({ stable: 8, unstable: 16, flaky: [12] });
});

test('where larger sizes passed and failed, the size that held is not the largest that was tried', () => {
  // Trials of a stored search of viewers on a Kurento held to a quarter of a core.
  const passed = [1, 2, 4, 8].map(stable);
  const history = [...passed, unstable(16), ...[12, 14, 15, 16, 17, 19].map(stable), unstable(23), stable(23)];
  expect(answerSoFar(options, 1, history, stopped)).toMatchObject({ outcome: 'found', stable: 17, unstable: null });
});

test('a search cut short before anything failed gives no unstable size', () => {
  expect(answerSoFar(options, 1, [stable(1), stable(2)], stopped)).toMatchObject({ stable: 2, unstable: null });
  const limited = answerSoFar(options, 1, [stable(1), exhausted(2)], stopped);
  expect(limited).toMatchObject({ outcome: 'probe-limited', stable: 1, unstable: null });
});

test('a search cut short before its first judged trial says nothing', () => {
  expect(answerSoFar(options, 1, [], stopped)).toMatchObject({ outcome: 'void', stable: 0, unstable: null });
  expect(answerSoFar(options, 1, [unstable(1)], stopped)).toMatchObject({ outcome: 'baseline-unstable' });
});

test('the stable side of a search cut short is of trials that confirm, and what only steered is named beside it', () => {
  expect(answerSoFar(options, 1, [stable(1), steered(50)], stopped)).toEqual({
    outcome: 'found',
    stable: 1,
    unstable: null,
    flaky: [],
    because: `${stopped} Until then 1 was stable in 1 of 1 trials, 50 in trials that confirm nothing.`,
    cutShort: true,
  });
  const bracketed = [stable(1), steered(50), unstable(64)];
  expect(answerSoFar(options, 1, bracketed, stopped)).toMatchObject({ outcome: 'found', stable: 1, unstable: 64 });
  expect(answerSoFar(options, 1, [steered(1), unstable(4)], stopped)).toMatchObject({
    outcome: 'void',
    stable: 0,
    because: `${stopped} Nothing had been confirmed.`,
  });
});
