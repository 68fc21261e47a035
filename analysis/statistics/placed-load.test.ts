import { expect, test } from '@playwright/test';
import { type FleetPlacement, fleetPlacements } from '../../model/placement.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { blockingShare, poissonAbove } from './erlang.js';
import { overloadedShare, turnedAwayShare } from './placed-load.js';

interface Fleet {
  readonly loadErlangs: number;
  readonly hosts: number;
  readonly places: number;
}

/** Sessions that come by chance and stay by chance, one after the other, on a fleet with this placement. */
function simulated(placement: FleetPlacement, { loadErlangs, hosts, places }: Fleet, count: number, refuses: boolean) {
  const random = randomFrom(11);
  const here = new Array<number>(hosts).fill(0);
  const staying: number[] = [];
  let [total, turn, seen, refused, over] = [0, 0, 0, 0, 0];
  const any = (most: number) => Math.floor(most * random());
  const chosen = (): number => {
    if (placement === 'hash') return any(hosts);
    if (placement === 'round-robin') return turn++ % hosts;
    if (placement === 'least-loaded') return here.indexOf(Math.min(...here));
    const one = any(hosts);
    const other = (one + 1 + any(hosts - 1)) % hosts;
    return (here[one] ?? 0) <= (here[other] ?? 0) ? one : other;
  };
  // Each event is an arrival or, of those who stay, one who leaves: stays without memory need no list of ends.
  for (let event = 0; event < count; event += 1) {
    if (random() * (loadErlangs + total) >= loadErlangs) {
      const leaver = any(total);
      const host = staying[leaver] ?? 0;
      staying[leaver] = staying[total - 1] ?? 0;
      total -= 1;
      here[host] = (here[host] ?? 0) - 1;
      continue;
    }
    const host = chosen();
    const isMeasured = event > 12 * loadErlangs;
    if (isMeasured) seen += 1;
    // Who comes by chance sees the mean over time.
    if (isMeasured && !refuses) over += (here[any(hosts)] ?? 0) > places ? 1 : 0;
    if (refuses && (here[host] ?? 0) >= places) {
      if (isMeasured) refused += 1;
      continue;
    }
    here[host] = (here[host] ?? 0) + 1;
    staying[total] = host;
    total += 1;
  }
  return (refuses ? refused : over) / seen;
}

const near = (computed: number, seen: number, share: number) => Math.abs(computed - seen) <= share * seen + 0.002;

test('2,000 erlangs on 120 hosts of 17: one pool turns 0.7 % away, two hosts to choose from 7 %, turns 11 %, chance 16 %', () => {
  const fleet = { loadErlangs: 2000, hosts: 120, places: 17 };
  const percents = fleetPlacements.map((placement) => Number((100 * turnedAwayShare(placement, fleet)).toFixed(2)));
  expect(percents).toEqual([0.73, 7.01, 11.29, 16.1]);
  expect(turnedAwayShare('hash', fleet)).toBe(blockingShare(2000 / 120, 17));
});

test('without anybody turned away, more than 2,028 of 2,000 are there 26 % of the time', () => {
  expect(poissonAbove(2028, 2000)).toBeCloseTo(0.26, 2);
  // By hand: 1 − e⁻¹(1 + 1 + ½).
  expect(poissonAbove(2, 1)).toBeCloseTo(1 - 2.5 / Math.E, 12);
  expect(poissonAbove(-1, 3)).toBe(1);
  expect(poissonAbove(0, 0)).toBe(0);
  expect(poissonAbove(5_000_000, 5_000_000)).toBeCloseTo(0.5, 3);
  expect(poissonAbove(10, 5000)).toBe(1);
  expect(overloadedShare('least-loaded', { loadErlangs: 2000, hosts: 2, places: 1014 })).toBe(poissonAbove(2028, 2000));
});

test('each placement turns away what a simulation of its sessions turns away', both, () => {
  const fleets: readonly Fleet[] = [
    { loadErlangs: 2000, hosts: 120, places: 17 },
    { loadErlangs: 9, hosts: 3, places: 5 },
    { loadErlangs: 153, hosts: 10, places: 17 },
    { loadErlangs: 120, hosts: 30, places: 5 },
  ];
  const wrong = fleets.flatMap((fleet) =>
    (['best-of-two', 'round-robin', 'hash'] as const).flatMap((placement) => {
      const seen = simulated(placement, fleet, times(150_000, 1_000_000), true);
      const computed = turnedAwayShare(placement, fleet);
      return near(computed, seen, 0.12) ? [] : [{ ...fleet, placement, computed, seen }];
    }),
  );
  expect(wrong).toEqual([]);
});

test('a fleet that refuses nobody is overloaded as a simulation is, or a little less than is told', () => {
  for (const fleet of [
    { loadErlangs: 150, hosts: 10, places: 17 },
    { loadErlangs: 1000, hosts: 60, places: 17 },
  ]) {
    const seen = (placement: FleetPlacement) => simulated(placement, fleet, 400_000, false);
    const computed = (placement: FleetPlacement) => overloadedShare(placement, fleet);
    expect(near(computed('hash'), seen('hash'), 0.1)).toBe(true);
    // How hosts are filled lags behind how many are there, which the fixed point does not know.
    const ofTwo = computed('best-of-two') / seen('best-of-two');
    expect([fleet, ofTwo > 0.9 && ofTwo < 1.5]).toEqual([fleet, true]);
    expect(computed('round-robin')).toBeGreaterThan(seen('round-robin'));
  }
});

test('hosts far above what they hold turn away all but what they hold', () => {
  // 300 places of 2,000: each session that leaves is followed at once.
  for (const hosts of [2, 5, 17, 34]) {
    const share = turnedAwayShare('best-of-two', { loadErlangs: 2000, hosts, places: 59 });
    const pool = blockingShare(2000, hosts * 59);
    expect([hosts, share >= pool - 1e-6 && share < pool + 0.05]).toEqual([hosts, true]);
  }
});

test('more hosts never turn more away, one host is one pool, and small shares are told as small', () => {
  for (const placement of fleetPlacements) {
    let before = 1;
    for (let hosts = 1; hosts < 60; hosts += 3) {
      const share = turnedAwayShare(placement, { loadErlangs: 300, hosts, places: 11 });
      expect([placement, hosts, share <= before + 1e-9]).toEqual([placement, hosts, true]);
      before = share;
    }
    expect(turnedAwayShare(placement, { loadErlangs: 8, hosts: 1, places: 11 })).toBe(blockingShare(8, 11));
    const small = turnedAwayShare(placement, { loadErlangs: 300, hosts: 300, places: 11 });
    expect(small >= 0 && small < 1e-6).toBe(true);
  }
  expect(blockingShare(5_000_000, 5_010_000)).toBeGreaterThan(0);
});
