import { expect, test } from '@playwright/test';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { chanceAbove, differenceAtMost, leastChance } from '../statistics/permutation.js';
import { checkRelease } from './release-check.js';
import type { ReleaseMarks } from './release-marks.js';

test('the chance of error is the share of ways to deal the values that differ as much', () => {
  // Of 20 ways to choose three of six, one has the three highest, and two have at least 3 + 5 + 6.
  expect(chanceAbove([4, 5, 6], [1, 2, 3])).toBe(1 / 20);
  expect(chanceAbove([3, 5, 6], [1, 2, 4])).toBe(2 / 20);
  expect(chanceAbove([2, 2], [2, 2])).toBe(1);
  expect(leastChance(5, 5)).toBeCloseTo(1 / 252, 12);
  expect(leastChance(1, 1)).toBe(1 / 2);
});

test('a difference is bounded by what the same test would reject, and by nothing where values are too few', () => {
  // At 1 in 20 only a shift that puts all three below is rejected: 6 − d < 1.
  expect(differenceAtMost([4, 5, 6], [1, 2, 3], 0.05)).toBeCloseTo(5, 4);
  expect(differenceAtMost([4], [1], 0.05)).toBe(Number.POSITIVE_INFINITY);
});

/** Runs of a release with noise of a standard deviation of 3 % in each mark. */
function releases(seed: number) {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const run = (cores: number): ReleaseMarks => ({
    limit: Math.round(60 * (1 + 0.03 * normal())),
    cores: cores * (1 + 0.03 * normal()),
    memory: 2 * (1 + 0.03 * normal()),
    firstFrame: 400 * (1 + 0.03 * normal()),
  });
  return (cores: number) => Array.from({ length: 5 }, () => run(cores));
}

const pairs = times(60, 300);

test(
  'ten percent more CPU for a session is found in 95 of 100 pairs of five runs and more, and a false one in 5 and less',
  both,
  () => {
    const releaseOf = releases(5);
    let [found, falsely] = [0, 0];
    for (let pair = 0; pair < pairs; pair += 1) {
      const before = releaseOf(0.05);
      const worse = checkRelease(before, releaseOf(0.055), 0.05);
      if (worse.marks.some(({ mark, verdict }) => mark === 'cores' && verdict === 'worse')) found += 1;
      if (checkRelease(before, releaseOf(0.05), 0.05).kind === 'worse') falsely += 1;
    }
    expect(found / pairs).toBeGreaterThanOrEqual(0.95);
    expect(falsely / pairs).toBeLessThanOrEqual(0.05);
  },
);

test('a lower limit is worse and a higher one better, and less CPU is better', () => {
  const run = (limit: number, cores: number) => (_: unknown, nth: number) => ({
    limit: limit + nth,
    cores: cores + nth / 1000,
  });
  const five = Array.from({ length: 5 });
  const verdicts = ({ marks }: ReturnType<typeof checkRelease>) =>
    Object.fromEntries(marks.map(({ mark, verdict }) => [mark, verdict]));
  const before = five.map(run(50, 0.05));
  expect(verdicts(checkRelease(before, five.map(run(40, 0.04)), 0.05))).toEqual({ limit: 'worse', cores: 'better' });
  expect(verdicts(checkRelease(before, five.map(run(60, 0.06)), 0.05))).toEqual({ limit: 'better', cores: 'worse' });
});

test('two runs each are too few to say anything at one error in twenty, and that is no pass', () => {
  const run = (limit: number): ReleaseMarks => ({ limit });
  const check = checkRelease([run(50), run(51)], [run(20), run(21)], 0.05);
  expect(check.kind).toBe('unknown');
  expect(check.marks[0]).toMatchObject({ verdict: 'too few runs', worseByAtMostPercent: null });
  expect(checkRelease([run(50)], [{}], 0.05).kind).toBe('unknown');
});

test('where nothing is shown to be worse, it is said how much worse it may be at most', () => {
  const run = (limit: number): ReleaseMarks => ({ limit });
  const { marks, kind } = checkRelease([100, 101, 99, 100, 102].map(run), [100, 99, 101, 102, 100].map(run), 0.05);
  expect(kind).toBe('none-worse');
  expect(marks[0]?.worseByAtMostPercent).toBeGreaterThan(0);
  expect(marks[0]?.worseByAtMostPercent).toBeLessThan(5);
});
