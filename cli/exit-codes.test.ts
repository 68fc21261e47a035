import { expect, test } from '@playwright/test';
import type { Outcome, RunResult } from '../model/run.js';
import { exitCodeOfFind, exitCodeOfTry } from './exit-codes.js';

function resultWith(outcome: Outcome, stable: number, unstable: number | null = null): RunResult {
  return {
    scenario: 'one-to-one',
    server: 'embedded 0.1.0',
    unit: 'calls',
    limit: { stable, unstable, flaky: [] },
    probesAtLimit: 2 * stable,
    outcome,
    trials: [],
    runDirectory: '/runs/one',
    because: '',
  };
}

const table: readonly (readonly [Outcome, number, number | undefined, number])[] = [
  ['found', 6, undefined, 0],
  ['found', 6, 6, 0],
  ['found', 6, 7, 3],
  ['reached-max', 8, undefined, 0],
  ['reached-max', 8, 9, 4],
  ['probe-limited', 6, undefined, 4],
  ['probe-limited', 6, 7, 4],
  ['probe-limited', 6, 6, 0],
  ['baseline-unstable', 0, undefined, 3],
  ['baseline-unstable', 0, 1, 3],
  ['drifting', 6, undefined, 4],
  ['drifting', 6, 5, 4],
  ['void', 0, undefined, 4],
  ['void', 6, 5, 4],
];

for (const [outcome, stable, require, code] of table) {
  test(`find exits ${code} for ${outcome} with ${stable} stable and ${require ?? 'nothing'} required`, () => {
    expect(exitCodeOfFind(resultWith(outcome, stable, outcome === 'found' ? stable + 1 : null), require)).toBe(code);
  });
}

test('a search cut short is no answer, whatever is required', () => {
  const cut = { ...resultWith('found', 6), cutShort: true } as const;
  expect([exitCodeOfFind(cut, undefined), exitCodeOfFind(cut, 5), exitCodeOfFind(cut, 7)]).toEqual([4, 4, 4]);
});

test('an interval with sizes that were not tried answers what lies outside of it, and nothing else', () => {
  const open = { ...resultWith('found', 4), limit: { stable: 4, unstable: 12, flaky: [] }, undecided: true } as const;
  expect([undefined, 4, 5, 11, 12].map((require) => exitCodeOfFind(open, require))).toEqual([4, 0, 4, 4, 3]);
});

test('what lies between the limit and the size that failed is no answer, unless something failed up to there', () => {
  const found = (flaky: readonly number[]) => ({
    ...resultWith('found', 62),
    limit: { stable: 62, unstable: 66, flaky },
  });
  const codes = (flaky: readonly number[]) => [62, 64, 66].map((require) => exitCodeOfFind(found(flaky), require));
  expect([codes([]), codes([63]), codes([65])]).toEqual([
    [0, 4, 3],
    [0, 3, 3],
    [0, 4, 3],
  ]);
});

test('what a ramp held says nothing of more, unless a size above it failed', () => {
  expect([undefined, 6, 7].map((require) => exitCodeOfFind(resultWith('found', 6), require))).toEqual([0, 0, 4]);
});

test('a server that died carrying what was asked for or less is a no, and above it no answer', () => {
  const died = resultWith('server-lost', 4, 8);
  expect([undefined, 4, 7, 8, 9].map((require) => exitCodeOfFind(died, require))).toEqual([4, 4, 4, 3, 3]);
  expect(exitCodeOfFind(resultWith('server-lost', 0, 1), 1)).toBe(3);
});

test('a run in which nobody ever connected is no answer, whatever is required', () => {
  const nobody = resultWith('never-connected', 0);
  expect([undefined, 1, 20].map((require) => exitCodeOfFind(nobody, require))).toEqual([4, 4, 4]);
});

test('try exits 0, 3 and 4 for stable, unstable and void', () => {
  expect((['stable', 'unstable', 'void'] as const).map(exitCodeOfTry)).toEqual([0, 3, 4]);
});
