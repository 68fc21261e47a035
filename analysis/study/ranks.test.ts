import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { seededRandom } from '../../model/seeded-random.js';
import { nextStep } from '../search/search.js';
import { placesOf, ranksOf, roundsToRank } from './ranks.js';
import { overRounds, type RoundValue } from './rounds.js';

const options = searchSchema.parse({});
const chance = 0.05;

/** What a real search finds of a server whose outcome around its limit is chance. */
function searched(capacity: number, seed: number): RoundValue {
  const random = seededRandom(seed);
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') {
      const { stable, unstable } = step.answer;
      return { value: stable, low: stable, high: unstable === null ? null : unstable - 1 };
    }
    const passes = 1 / (1 + Math.exp((step.size - capacity - 0.5) / (0.02 * capacity)));
    history.push({ size: step.size, verdict: random() < passes ? 'stable' : 'unstable' });
  }
}

/** Of each quarter of a size eight searches are made, and drawn from: a study needs thousands. */
const made = new Map<string, RoundValue>();
function drawnSearch(capacity: number, random: () => number): RoundValue {
  const [quarter, which] = [Math.round(4 * capacity) / 4, Math.floor(8 * random())];
  const key = `${quarter} ${which}`;
  const value = made.get(key) ?? searched(quarter, 1 + which);
  made.set(key, value);
  return value;
}

/** Rounds on a machine on which each round, and each run, finds a little more or less, and which gets slower. */
function simulatedStudy(capacities: readonly number[], seed: number, noise = 0.03) {
  const random = seededRandom(seed);
  const wobble = () => 1 + noise * (random() + random() - 1);
  const ofRound = Array.from({ length: 5 }, (_, nth) => wobble() * (1 - 0.01 * nth));
  const servers = capacities.map((capacity, nth) => {
    const values = ofRound.map((round) => drawnSearch(capacity * round * wobble(), random));
    return { server: String(nth), values, limit: overRounds(values) };
  });
  return { servers, ranks: ranksOf(servers, chance) };
}

const seeds = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);

test('three servers of known limits are ranked right in 20 of 20 simulated studies of five rounds', () => {
  const places = seeds(20).map((seed) => {
    const { servers, ranks } = simulatedStudy([30, 20, 12], seed);
    return servers.map(({ server }) => placesOf(server, ['0', '1', '2'], ranks)).join(' ');
  });
  expect(new Set(places)).toEqual(new Set(['1,1 2,2 3,3']));
});

test('of 200 simulated studies of equal servers at most one in twenty names a difference', () => {
  const named = (capacities: readonly number[], noise: number) =>
    seeds(200).filter((seed) => simulatedStudy(capacities, seed, noise).ranks.above.length > 0).length;
  expect(named([22, 22], 0.03)).toBeLessThanOrEqual(10);
  expect(named([22, 22], 0.2)).toBeLessThanOrEqual(10);
  expect(named([22, 22, 22], 0.2)).toBeLessThanOrEqual(10);
});

const known = (...values: number[]): RoundValue[] => values.map((value) => ({ value, low: value, high: value }));
const atLeast = (...values: number[]): RoundValue[] => values.map((value) => ({ value, low: value, high: null }));
const asServer = (server: string, values: readonly RoundValue[]) => ({ server, values, limit: overRounds(values) });

test('a server whose probes ran out is never ranked below another, and may be ranked above one', () => {
  const above = (a: RoundValue[], b: RoundValue[]) =>
    ranksOf([asServer('a', a), asServer('b', b)], chance).above.map(({ server, than }) => `${server} > ${than}`);
  expect(above(atLeast(10, 10, 10, 10, 10), known(20, 21, 20, 21, 20))).toEqual([]);
  expect(above(atLeast(30, 30, 30, 30, 30), known(20, 21, 20, 21, 20))).toEqual(['a > b']);
});

test('too few rounds rank nobody, however far apart servers are, and how many are needed is known', () => {
  const { above, isTooFew, roundsNeeded } = ranksOf([asServer('a', known(2, 2)), asServer('b', known(90, 90))], chance);
  expect({ above, isTooFew, roundsNeeded }).toEqual({ above: [], isTooFew: true, roundsNeeded: 4 });
  expect([2, 3, 4, 6].map((servers) => roundsToRank(servers, chance))).toEqual([4, 5, 5, 6]);
});

test('one server alone, and one without a round, are compared with nobody', () => {
  const alone = ranksOf([asServer('a', known(5)), asServer('b', [])], chance);
  expect(alone).toMatchObject({ above: [], pairs: 0, isTooFew: false });
});

test('the interval of rounds is as sure as it says: three 75 %, five 93.75 %, and from nine on the outermost are left out', () => {
  expect(overRounds(known(7))).toMatchObject({ middle: 7, low: 7, high: 7, sure: 0 });
  expect(overRounds(known(9, 7, 8))).toMatchObject({ middle: 8, low: 7, high: 9, sure: 0.75 });
  expect(overRounds(known(1, 2, 3, 4, 5))).toMatchObject({ low: 1, high: 5, sure: 0.9375 });
  expect(overRounds(known(9, 1, 2, 3, 4, 5, 6, 7, 8))).toMatchObject({ low: 2, high: 8, sure: 1 - 20 / 512 });
  expect(overRounds([...known(5, 6), ...atLeast(4)])).toMatchObject({ middle: 5, low: 4, high: null });
  expect(overRounds([])).toBeUndefined();
});
