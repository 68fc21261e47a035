import { expect, test } from '@playwright/test';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { markSentences, releaseText } from '../report/release-text.js';
import {
  chanceAbove,
  chanceOfSigns,
  differenceAtMost,
  leastChance,
  leastChanceOfSigns,
  pairedDifferenceAtMost,
} from '../statistics/permutation.js';
import { checkRelease as check, type MarkedRun } from './release-check.js';
import type { ReleaseMarks } from './release-marks.js';
import { drawnOrder, orderCautions, pairsInTime, type Release } from './run-order.js';

const of = (release: Release) => (marks: ReleaseMarks) => ({ release, marks });
/** All of one release, and then all of the other. */
const checkRelease = (before: readonly ReleaseMarks[], after: readonly ReleaseMarks[], chance: number) =>
  check([...before.map(of('before')), ...after.map(of('after'))], chance);

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
  const { marks } = checkRelease(before, five.map(run(60, 0.04)), 0.05);
  expect(marks.map(({ verdict, chance }) => [verdict, chance < 0.05])).toEqual([
    ['better', true],
    ['better', true],
  ]);
});

test('two runs each are too few to say anything at one error in twenty, and that is no pass', () => {
  const run = (limit: number): ReleaseMarks => ({ limit });
  const check = checkRelease([run(50), run(51)], [run(20), run(21)], 0.05);
  expect(check.kind).toBe('unknown');
  expect(check.marks[0]).toMatchObject({ verdict: 'too few runs', worseByAtMostPercent: null });
  expect(checkRelease([run(50)], [{}], 0.05).kind).toBe('unknown');
});

test('a release of which more runs have no limit than before is no pass, however the others are, and that is said', () => {
  const seven = (release: Release, lost: number) =>
    Array.from({ length: 7 }, (_, nth): MarkedRun => {
      const marks = { limit: 50 + (nth % 2) };
      return nth < lost ? { release, marks: {}, noLimit: 'baseline-unstable' } : { release, marks };
    });
  const checked = (before: number, after: number) =>
    check([...seven('before', before), ...seven('after', after)], 0.05);
  expect([checked(0, 0), checked(1, 1), checked(2, 1)].map(({ kind }) => kind)).toEqual(Array(3).fill('none-worse'));
  const lost = checked(0, 2);
  expect(lost.kind).toBe('unknown');
  const said = '2 of 7 runs have no limit now, and 0 of 7 before (baseline-unstable)';
  expect(markSentences(lost)).toContain(`${said}: the others alone are compared.`);
  const report = { runs: Array(7).fill('a'), expectations: [] };
  const text = releaseText({ ...report, baseline: { tag: 'v1', runs: Array(7).fill('b'), cautions: [], check: lost } });
  expect(text.replace(/\s+/g, ' ')).toContain(`7 runs against 7 of v1: ${said}.`);
});

test('where nothing is shown to be worse, it is said how much worse it may be at most', () => {
  const run = (limit: number): ReleaseMarks => ({ limit });
  const { marks, kind } = checkRelease([100, 101, 99, 100, 102].map(run), [100, 99, 101, 102, 100].map(run), 0.05);
  expect(kind).toBe('none-worse');
  expect(marks[0]?.worseByAtMostPercent).toBeGreaterThan(0);
  expect(marks[0]?.worseByAtMostPercent).toBeLessThan(5);
});

test('of pairs the chance of error is the share of signs that give as much', () => {
  // Of 8 ways to set three signs, one has 1 + 2 + 3, and two have at least −1 + 2 + 3.
  expect(chanceOfSigns([1, 2, 3])).toBe(1 / 8);
  expect(chanceOfSigns([-1, 2, 3])).toBe(2 / 8);
  expect(chanceOfSigns([0, 0])).toBe(1);
  expect(leastChanceOfSigns(7)).toBe(1 / 128);
  // At 1 in 8 a shift is rejected once it is above every difference.
  expect(pairedDifferenceAtMost([1, 2, 3], 1 / 8)).toBeCloseTo(3, 4);
  expect(pairedDifferenceAtMost([1, 2], 1 / 8)).toBe(Number.POSITIVE_INFINITY);
});

/** "bbaa": the order of runs, b of the earlier release. */
const runs = (order: string) => [...order].map((letter) => ({ release: letter === 'b' ? 'before' : 'after' }) as const);

test('runs pair up with a neighbour of the other release, and no run is in two pairs', () => {
  const firsts = (order: string) => pairsInTime(runs(order)).map(({ first }) => first[0]);
  expect(firsts('baabba')).toEqual(['b', 'a', 'b']);
  expect(firsts('bbbaaa')).toEqual(['b']);
  expect(firsts('bbabab')).toEqual(['b', 'b']);
  expect(firsts('bbbb')).toEqual([]);
});

test('the order of a plan is drawn for each pair, and the same for a seed', () => {
  const order = drawnOrder(2000, 3);
  const share = order.filter((first) => first === 'before').length / 2000;
  expect(Math.abs(share - 0.5)).toBeLessThan(0.05);
  expect(drawnOrder(8, 1)).toEqual(drawnOrder(8, 1));
  expect(new Set(drawnOrder(8, 1)).size).toBe(2);
});

test('all runs of one release before all of the other are compared as groups, and it is said what that is worth', () => {
  const said = (order: string, paired: boolean) => orderCautions(runs(order), pairsInTime(runs(order)), paired, 'v1');
  expect(
    check([...Array(5).fill({ limit: 50 }).map(of('before')), ...Array(5).fill({ limit: 50 }).map(of('after'))], 0.05)
      .by,
  ).toBe('groups');
  expect(said('bbbbbaaaaa', false)[0]).toContain('All runs of v1 came before those checked');
  expect(said('babababa', true)[0]).toContain('In each pair v1 ran first');
  expect(said('baabba', true)).toEqual([]);
  expect(said('bbaab', true)[0]).toContain('1 run has no neighbour');
});

/** Noise of a standard deviation of 3 %, of which each value keeps a share of the one before: AR(1). */
function noise(keeps: number, random: () => number) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let now = normal();
  return () => {
    now = keeps * now + Math.sqrt(1 - keeps ** 2) * normal();
    return 1 + 0.03 * now;
  };
}

test(
  'interleaved pairs call nothing worse more often than stated, however much runs depend on those before, or drift',
  both,
  () => {
    const random = randomFrom(12);
    const rounds = times(150, 1500);
    for (const [keeps, drift] of [
      [0, 0],
      [0.3, 0],
      [0.6, 0],
      [0.8, 0],
      [0.6, 0.02],
    ] as const) {
      let falsely = 0;
      for (let round = 0; round < rounds; round += 1) {
        const marks = { limit: noise(keeps, random), cores: noise(keeps, random), firstFrame: noise(keeps, random) };
        const order = drawnOrder(8, Math.floor(1e9 * random())).flatMap((first): Release[] =>
          first === 'before' ? ['before', 'after'] : ['after', 'before'],
        );
        const all = order.map((release, nth): MarkedRun => {
          const worse = 1 + drift * nth;
          return {
            release,
            marks: { limit: 60 * marks.limit(), cores: worse * marks.cores(), firstFrame: worse * marks.firstFrame() },
          };
        });
        const seen = check(all, 0.05);
        expect(seen.by).toBe('pairs');
        if (seen.kind === 'worse') falsely += 1;
      }
      // Two standard errors of the count.
      expect([keeps, drift, falsely / rounds <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / rounds)]).toEqual([
        keeps,
        drift,
        true,
      ]);
    }
  },
);

test('ten percent more CPU is found by eight interleaved pairs though each run keeps 0.6 of the noise before it', () => {
  const random = randomFrom(4);
  let found = 0;
  for (let round = 0; round < 60; round += 1) {
    const next = noise(0.6, random);
    const order = drawnOrder(8, round).flatMap((first): Release[] =>
      first === 'before' ? ['before', 'after'] : ['after', 'before'],
    );
    const all = order.map((release) => ({ release, marks: { cores: (release === 'after' ? 0.055 : 0.05) * next() } }));
    if (check(all, 0.05).kind === 'worse') found += 1;
  }
  expect(found / 60).toBeGreaterThanOrEqual(0.95);
});

test('a mark that is 0 or less in some run is left out as a whole, and that is said', () => {
  const run = (memory: number): ReleaseMarks => ({ limit: 50, memory });
  const before = [1.1, 1.2, 1.15, 1.18, 1.12].map(run);
  const noisy = checkRelease(before, [-1.03, -0.41, 0.21, -0.31, 0.52].map(run), 0.05);
  expect(noisy.marks.map(({ mark }) => mark)).toEqual(['limit']);
  expect(noisy.leftOut).toEqual(['memory']);
  expect(markSentences(noisy).at(-1)).toContain('server memory of one more session: not compared');
  expect(checkRelease(before, before, 0.05)).toMatchObject({ leftOut: [], marks: [{}, {}] });
});

test('small costs and chances are told with two figures, and never as 0', () => {
  const run = (cores: number): ReleaseMarks => ({ cores });
  const ten = Array.from({ length: 10 }, (_, nth) => nth / 1e6);
  const check = checkRelease(
    ten.map((more) => run(0.0041 + more)),
    ten.map((more) => run(0.0049 + more)),
    0.05,
  );
  const [said] = markSentences(check);
  expect(said).toContain('0.0041 cores before, 0.0049 cores now');
  expect(said).toContain('worse, chance of error 0.00054 %');
});
