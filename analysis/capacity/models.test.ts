import { expect, test } from '@playwright/test';
import { randomFrom } from '../../tests/random.js';
import { placesFor, shareFindingNone } from '../statistics/erlang.js';
import { withSpare } from './ask.js';
import { type Cover, cheapestCovers, type HostOption, perHourOf } from './cheapest-cover.js';
import { cascadeTiers, feedsOf } from './fleet.js';
import { tieredCost } from './price-tiers.js';
import { sharedHosts } from './shared-fleet.js';

const blockedShare = (places: number, load: number) => shareFindingNone(places, load, 'turned-away');
const waitingShare = (places: number, load: number) => shareFindingNone(places, load, 'waits');

test('Erlang B agrees with small cases worked by hand and with printed tables', () => {
  // By hand: B(1) = a ÷ (1 + a), and with a = 1: B(2) = (1·½) ÷ (2 + ½) = 1 ÷ 5, B(3) = (1 ÷ 5) ÷ (3 + 1 ÷ 5) = 1 ÷ 16.
  expect(blockedShare(1, 3)).toBeCloseTo(3 / 4, 12);
  expect(blockedShare(2, 1)).toBeCloseTo(1 / 5, 12);
  expect(blockedShare(3, 1)).toBeCloseTo(1 / 16, 12);
  // Loads at which 1 % is turned away, as every traffic table prints them to three figures.
  for (const [places, load] of [
    [1, 0.0101],
    [2, 0.153],
    [5, 1.36],
    [10, 4.46],
    [20, 12.0],
    [100, 84.1],
  ] as const) {
    expect(Math.abs(blockedShare(places, load) - 0.01), `${places} places`).toBeLessThan(0.0003);
  }
});

test('Erlang C is the load itself for one place, one in three for two places at 1 erlang, and 1 where the queue only grows', () => {
  expect(waitingShare(1, 0.7)).toBeCloseTo(0.7, 12);
  // By hand: B(2) = 1 ÷ 5; C = B ÷ (1 − ½·(1 − B)) = (1 ÷ 5) ÷ (3 ÷ 5).
  expect(waitingShare(2, 1)).toBeCloseTo(1 / 3, 12);
  expect(waitingShare(4, 5)).toBe(1);
});

test('places for a load are the fewest that will do, and more load never needs fewer', () => {
  const random = randomFrom(1);
  for (const atFullHouse of ['turned-away', 'waits'] as const) {
    const share = atFullHouse === 'waits' ? waitingShare : blockedShare;
    let before = 0;
    for (let load = 0.3; load < 300; load *= 1 + random()) {
      const places = placesFor(load, 0.02, atFullHouse);
      const fits = share(places, load) <= 0.02 && share(places - 1, load) > 0.02;
      expect([load, fits && places >= before]).toEqual([load, true]);
      before = places;
    }
  }
});

test('N + 1 is one more, and a zone of three may be lost with what is left still enough', () => {
  expect(withSpare(4, { kind: 'none' })).toBe(4);
  expect(withSpare(4, { kind: 'hosts', hosts: 1 })).toBe(5);
  expect(withSpare(0, { kind: 'hosts', hosts: 2 })).toBe(0);
  // 6 in three zones are 2 each, and 4 are left. Of 5, in zones of 2, 2 and 1, 3 are left.
  expect(withSpare(4, { kind: 'zone', zones: 3 })).toBe(6);
  expect(withSpare(3, { kind: 'zone', zones: 3 })).toBe(5);
  const wrong = [2, 3, 4, 7].flatMap((zones) => {
    const left = (hosts: number) => hosts - Math.ceil(hosts / zones);
    const hosts = (needed: number) => withSpare(needed, { kind: 'zone', zones });
    const fits = (needed: number) => left(hosts(needed)) >= needed && left(hosts(needed) - 1) < needed;
    return Array.from({ length: 200 }, (_, nth) => nth + 1).filter((needed) => !fits(needed));
  });
  expect(wrong).toEqual([]);
});

const none = { kind: 'none' } as const;
const hostsIn = (tiers: ReturnType<typeof cascadeTiers>) => (tiers ?? []).map(({ role, hosts }) => `${hosts} ${role}`);

test('a broadcast that fits is on one host; a larger one has edges, what feeds them, and one origin', () => {
  expect(hostsIn(cascadeTiers(100, 100, none))).toEqual(['1 only']);
  // 1000 viewers on hosts of 100: ten edges, and one host that feeds ten.
  expect(hostsIn(cascadeTiers(1000, 100, none))).toEqual(['10 edge', '1 origin']);
  expect(hostsIn(cascadeTiers(10_001, 100, none))).toEqual(['101 edge', '2 relay', '1 origin']);
  // 50 million on hosts of 1000: 50,000 edges, 50 that feed them, one that feeds these.
  const tiers = cascadeTiers(50_000_000, 1000, none) ?? [];
  expect(hostsIn(tiers)).toEqual(['50000 edge', '50 relay', '1 origin']);
  expect(feedsOf(tiers)).toBe(50_050);
});

test('spare hosts of a cascade are fed, too, each level has its own, and broadcasts share those of a level', () => {
  expect(hostsIn(cascadeTiers(1000, 100, { kind: 'hosts', hosts: 1 }))).toEqual(['11 edge', '2 origin']);
  expect(hostsIn(cascadeTiers(1000, 10, { kind: 'hosts', hosts: 1 }))).toEqual([
    '101 edge',
    '12 relay',
    '3 relay',
    '2 origin',
  ]);
  expect(hostsIn(cascadeTiers(1000, 100, { kind: 'hosts', hosts: 1 }, 3))).toEqual(['31 edge', '4 origin']);
  expect(hostsIn(cascadeTiers(50, 100, { kind: 'hosts', hosts: 2 }, 3))).toEqual(['5 only']);
});

test('a host that feeds no more than it replaces makes no cascade, and that is said instead of looped over', () => {
  expect(cascadeTiers(5, 1, none)).toBeNull();
  expect(cascadeTiers(5, 2, { kind: 'hosts', hosts: 1 })).toBeNull();
});

test('a tiered price bills each part at the price of its own step', () => {
  const steps = [{ upToGb: 10, perGb: 0.09 }, { upToGb: 50, perGb: 0.07 }, { perGb: 0.05 }];
  expect(tieredCost(0, steps)).toBe(0);
  expect(tieredCost(10, steps)).toBeCloseTo(0.9, 12);
  // 10 at 0.09, 40 at 0.07 and 50 at 0.05.
  expect(tieredCost(100, steps)).toBeCloseTo(0.9 + 2.8 + 2.5, 12);
});

test('the cheapest mix is that of a search through every mix, and more demand never costs less', () => {
  const random = randomFrom(22);
  for (let round = 0; round < 40; round += 1) {
    const options = Array.from(
      { length: 2 + Math.floor(random() * 2) },
      (_, index): HostOption => ({
        hostType: String(index),
        perHost: 2 + Math.floor(random() * 11),
        perHour: Math.round(1 + random() * 40) / 4,
      }),
    );
    const covers = [1, 2, 3, 7, 12, 20, 29, 31, 300].map((units) => ({
      units,
      ...cheapestCovers(options, 300)(units),
    }));
    const carried = ({ counts }: Cover) =>
      counts.reduce((sum, count, index) => sum + count * (options[index]?.perHost ?? 0), 0);
    const wrong = covers.filter(
      (cover, nth) =>
        !cover.isCheapest ||
        carried(cover) < cover.units ||
        Math.abs(cover.perHour - perHourOf(options, cover.counts)) > 1e-9 ||
        cover.perHour < (covers[nth - 1]?.perHour ?? 0) - 1e-9 ||
        (cover.units < 60 && Math.abs(cover.perHour - cheapestBySearch(cover.units, options)) > 1e-9),
    );
    expect(wrong).toEqual([]);
  }
});

/** Every number of hosts of the first kind, and so on. */
function cheapestBySearch(units: number, [option, ...others]: readonly HostOption[]): number {
  if (units <= 0) return 0;
  if (!option) return Number.POSITIVE_INFINITY;
  const most = Math.ceil(units / option.perHost);
  return Math.min(
    ...Array.from(
      { length: most + 1 },
      (_, count) => count * option.perHour + cheapestBySearch(units - count * option.perHost, others),
    ),
  );
}

test('hosts shared by several scenarios are the fewest on which the fullest is full at most', () => {
  // 30 calls of 10 a host and 30 rooms of 15 a host: 3 + 2 hosts, and on 5 hosts 6 ÷ 10 + 6 ÷ 15 is one.
  expect(
    sharedHosts([
      { units: 30, perHost: 10 },
      { units: 30, perHost: 15 },
    ]),
  ).toBe(5);
  // 31 calls are 7 on the fullest of 5: 7 ÷ 10 + 6 ÷ 15 is too much. On 6: 6 ÷ 10 + 5 ÷ 15.
  expect(
    sharedHosts([
      { units: 31, perHost: 10 },
      { units: 30, perHost: 15 },
    ]),
  ).toBe(6);
  expect(sharedHosts([{ units: 5, perHost: 10 }])).toBe(1);
  expect(sharedHosts([{ units: 0, perHost: 10 }])).toBe(0);
  expect(
    sharedHosts([
      { units: 3, perHost: 1 },
      { units: 3, perHost: 4 },
    ]),
  ).toBeNull();
});
