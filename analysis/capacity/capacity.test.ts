import { expect, test } from '@playwright/test';
import type { FleetPlacement } from '../../model/placement.js';
import type { Prices } from '../../model/prices.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { capacitySections } from '../report/capacity-sections.js';
import { capacityHeadline } from '../report/capacity-words.js';
import type { CapacityAsk, FullHouse } from './ask.js';
import { capacityOf } from './capacity.js';
import { monthlyGigabytes } from './cost.js';
import type { HostLimit } from './host-limit.js';
import { readDemand } from './read-demand.js';

const calls = { one: 'call', many: 'calls' };
const viewers = { one: 'viewer', many: 'viewers', countsParticipants: true } as const;

function aLimit(changes: Partial<HostLimit> = {}): HostLimit {
  return {
    runs: ['a-run'],
    scenario: 'one-to-one',
    unit: calls,
    hostType: 'large',
    atLeast: 50,
    atMost: 54,
    passes: 3,
    participantsPerUnit: 2,
    participantsBeside: 0,
    connectionsPerUnit: 2,
    egress: { mbpsPerUnit: 1, basis: 'server' },
    ingressMbpsPerUnit: 1,
    joinsPerSecond: 2,
    sharedHost: false,
    nature: 'product',
    ...changes,
  };
}

function anAsk(changes: Partial<CapacityAsk> = {}, units = 2000): CapacityAsk {
  return {
    demands: [{ scenario: 'one-to-one', units, asked: `${units} calls` }],
    headroom: 0,
    spare: { kind: 'none' },
    together: false,
    broadcasts: 1,
    regions: [],
    ...changes,
  };
}

const prices: Prices = {
  currency: 'EUR',
  hosts: { large: { perHour: 1 }, small: { perHour: 0.3 } },
  egress: [{ upTo: 1000, perGb: 0.1 }, { perGb: 0.05 }],
};

test('the interval of the limit is carried through: of 50 to 54 calls a host, 2000 calls need 38 to 40 hosts', () => {
  const { peak } = capacityOf([aLimit()], anAsk());
  // 2000 ÷ 50 = 40; 2000 ÷ 54 = 37.04, so 38.
  expect([peak.fewest, peak.hosts]).toEqual([38, 40]);
});

test('where nothing larger failed, how few hosts would do is not known, and is not made up', () => {
  const { peak, assumptions } = capacityOf([aLimit({ atMost: null })], anAsk());
  expect([peak.fewest, peak.hosts]).toEqual([null, 40]);
  expect(assumptions).toContain(
    'one-to-one on large: no larger size was shown to fail, so how few hosts would do is not known.',
  );
});

test('head-room, N + 1 and regions are each worked by hand', () => {
  // 80 % of 50 is 40 a host: 50 hosts.
  expect(capacityOf([aLimit()], anAsk({ headroom: 0.2 })).peak.hosts).toBe(50);
  // 0.29 of 100 is 29 although 100 · (1 − 0.71) is a hair less.
  expect(capacityOf([aLimit({ atLeast: 100 })], anAsk({ headroom: 0.71 }, 29)).peak.hosts).toBe(1);
  const regions = [
    { name: 'eu', share: 0.4 },
    { name: 'us', share: 0.6 },
  ];
  // 800 ÷ 50 = 16 and 1200 ÷ 50 = 24, each with one spare.
  const { peak } = capacityOf([aLimit()], anAsk({ regions, spare: { kind: 'hosts', hosts: 1 } }));
  expect(peak.places.map(({ region, fleets }) => [region, fleets[0]?.hosts])).toEqual([
    ['eu', 17],
    ['us', 25],
  ]);
});

test('a link or ports that hold less than the measured limit bind, and it is said which', () => {
  const byLink = capacityOf([aLimit()], anAsk({ linkMbps: 30 })).choices[0]?.sure;
  expect(byLink).toEqual({ units: 30, binds: 'link', used: { 'measured limit': 0.6, link: 1 } });
  const byPorts = capacityOf([aLimit()], anAsk({ ports: 41, linkMbps: 30 })).choices[0]?.sure;
  expect([byPorts?.units, byPorts?.binds]).toEqual([20, 'ports']);
  // Of a limit that does not bind a percent more is worth nothing.
  const [ofLimit, ofRate] = capacityOf([aLimit()], anAsk({ linkMbps: 30 })).sensitivity;
  expect(ofLimit?.fewerHosts).toBe(0);
  expect(ofRate?.fewerHosts).toBeCloseTo(67 * (1 - 1 / 1.01), 9);
});

test('of two scenarios on one kind of host each is told by what binds it, in whatever order the runs are named', () => {
  const rooms = { one: 'room', many: 'rooms' };
  // 50 calls a host by the limit; 10 rooms of 50 Mbit/s by the link.
  const limits = [
    aLimit(),
    aLimit({ scenario: 'group', unit: rooms, egress: { mbpsPerUnit: 50, basis: 'server' } }),
  ] as const;
  const demands = [
    { scenario: 'one-to-one', units: 5000, asked: '5000 calls' },
    { scenario: 'group', units: 40, asked: '40 rooms' },
  ];
  const fewer = (own: readonly HostLimit[], together: boolean) =>
    capacityOf(own, anAsk({ demands, linkMbps: 500, together })).sensitivity.map(({ fewerHosts }) => fewerHosts);
  for (const own of [limits, limits.toReversed()]) {
    const [ofLimit, ofRate] = fewer(own, false);
    expect(ofLimit).toBeCloseTo(100 * (1 - 1 / 1.01), 9);
    expect(ofRate).toBeCloseTo(4 * (1 - 1 / 1.01), 9);
  }
  // 112 shared hosts carry both, and calls are 100 parts of 104.
  const [ofLimit, ofRate] = fewer(limits, true);
  expect(ofLimit).toBeCloseTo(((112 * 100) / 104) * (1 - 1 / 1.01), 9);
  expect(ofRate).toBeCloseTo(((112 * 4) / 104) * (1 - 1 / 1.01), 9);
  expect(fewer(limits.toReversed(), true)).toEqual([ofLimit, ofRate]);
});

test('a bound that nothing measured can be held against is said not to have been looked at', () => {
  const { egress: _, connectionsPerUnit: __, ...silent } = aLimit();
  const { peak, assumptions } = capacityOf([silent], anAsk({ linkMbps: 1, ports: 2, relayed: 0.1 }));
  expect(peak.hosts).toBe(40);
  expect(assumptions).toContain('one-to-one on large: no run knows its bit rate, so --link was not looked at.');
  expect(assumptions).toContain('one-to-one on large: no run knows its connections, so --ports was not looked at.');
  expect(assumptions.filter((text) => text.includes('--relayed was not looked at'))).toHaveLength(1);
});

test('a month is paid by hosts and by steps of traffic; with a curve hosts and traffic follow the day', () => {
  const { cost } = capacityOf([aLimit()], anAsk({ prices: { ...prices, hoursPerMonth: 720 } }, 100));
  // Two hosts for 720 h; 100 Mbit/s are 32,400 GB: 1000 at 0.10 and the rest at 0.05.
  expect(monthlyGigabytes(100, 720)).toBeCloseTo(32_400, 9);
  expect(cost?.hosts).toBeCloseTo(1440, 9);
  expect(cost?.egress).toBeCloseTo(100 + 31_400 * 0.05, 9);
  expect(cost?.perUnitHour[0]).toBeCloseTo((1440 + 1670) / 72_000, 12);
  expect(cost?.perParticipantHour).toBeCloseTo((1440 + 1670) / 144_000, 12);
  const curve = [
    { time: '00:00', hours: 12, share: 0.5 },
    { time: '12:00', hours: 12, share: 1 },
  ];
  const day = capacityOf([aLimit()], anAsk({ curve, prices: { ...prices, hoursPerMonth: 720 } }, 100));
  expect(day.curve.map(({ hosts }) => hosts)).toEqual([1, 2]);
  expect(day.cost?.hosts).toBeCloseTo(1080, 9);
  expect(day.cost?.egressGb).toBeCloseTo(24_300, 9);
});

test('who is beside viewers is sent to all day, however few viewers there are', () => {
  const egress = { mbpsPerUnit: 1, mbpsBeside: 30, basis: 'server' } as const;
  const limits = [
    aLimit({ scenario: 'webinar', unit: viewers, participantsPerUnit: 1, participantsBeside: 9, egress }),
  ];
  const demands = [{ scenario: 'webinar', units: 50, asked: '50 viewers' }];
  const curve = [0.2, 1].map((share, nth) => ({ time: `${12 * nth}:00`, hours: 12, share }));
  const { traffic, cost } = capacityOf(limits, anAsk({ demands, prices, curve }));
  expect(traffic?.egressMbps).toBe(50 + 30);
  expect(cost?.egressGb).toBeCloseTo(monthlyGigabytes(30 + 30, 730), 6);
});

test('traffic whose bit rate no run knows has no price, and nothing is put in its place', () => {
  const { egress: _, ...silent } = aLimit();
  const { traffic, cost, assumptions } = capacityOf([silent], anAsk({ prices }));
  expect([traffic, cost?.egress, cost?.total]).toEqual([null, null, 40 * 730]);
  expect(assumptions).toContain('No run of one-to-one knows its bit rate, so traffic is not told.');
});

test('of two kinds of host the cheapest mix is taken, and its spare host is as large as the largest', () => {
  const limits = [aLimit(), aLimit({ hostType: 'small', atLeast: 12, atMost: 12 })];
  // Large: 0.02 a call, small: 0.025. 62 calls: one of each for 1.3; two large cost 2, six small 1.8.
  const { peak } = capacityOf(limits, anAsk({ prices }, 62));
  const mix = peak.places[0]?.fleets[0]?.counts.map(({ hostType, hosts }) => `${hosts} ${hostType}`);
  expect([mix, peak.perHour]).toEqual([['1 large', '1 small'], 1.3]);
  const spared = capacityOf(limits, anAsk({ prices, spare: { kind: 'hosts', hosts: 1 } }, 62)).peak;
  // All small, with a small one spare, are seven for 2.1; large and small need a large one beside them: 2.3.
  expect(spared.places[0]?.fleets[0]?.counts).toEqual([{ hostType: 'small', needed: 6, hosts: 7 }]);
  expect(spared.perHour).toBeCloseTo(2.1, 9);
});

test('a broadcast that is larger than a host is a cascade, whose feeds are traffic of their own', () => {
  const limit = aLimit({
    scenario: 'broadcast',
    unit: viewers,
    atLeast: 100,
    atMost: 110,
    participantsPerUnit: 1,
    participantsBeside: 1,
  });
  const demands = [{ scenario: 'broadcast', units: 1000, asked: '1000 viewers' }];
  const { peak, traffic } = capacityOf([limit], anAsk({ demands }));
  expect([peak.hosts, traffic]).toEqual([11, { egressMbps: 1000, feedMbps: 10, bases: ['server'] }]);
});

test('relays send what their participants get and what they send, at the highest rate of several kinds of host', () => {
  const { relays } = capacityOf([aLimit({ ingressMbpsPerUnit: 0.5 })], anAsk({ relayed: 0.15, relayMbps: 200 }));
  // 15 % of 2000 calls: 300 of 1.5 Mbit/s; 600 participants, a port each; 450 ÷ 200 is 3 hosts.
  expect(relays).toEqual({ participants: 600, mbps: 450, ports: 600, hosts: 3 });
  const two = [aLimit(), aLimit({ hostType: 'small', egress: { mbpsPerUnit: 3, basis: 'server' } })];
  expect(capacityOf(two, anAsk({ relayed: 0.15 })).relays?.mbps).toBe(1200);
});

test('each region has relay hosts of its own, and its own spare one', () => {
  const hosts = (changes: Partial<CapacityAsk>) =>
    capacityOf([aLimit()], anAsk({ relayed: 0.1, relayMbps: 2000, ...changes }, 3000)).relays?.hosts;
  const spare = { kind: 'hosts', hosts: 1 } as const;
  const regions = ['eu', 'us', 'asia'].map((name) => ({ name, share: 1 / 3 }));
  // 600 Mbit/s are less than one host carries.
  expect([hosts({}), hosts({ spare }), hosts({ regions }), hosts({ regions, spare })]).toEqual([1, 2, 3, 6]);
});

test(
  'more demand, less limit, more head-room or a wider spare never needs fewer hosts or less money, and intervals nest',
  both,
  () => {
    const random = randomFrom(7);
    const whole = (most: number) => 1 + Math.floor(random() * most);
    for (let round = 0; round < times(5, 25); round += 1) {
      const isCascade = random() < 0.3;
      const unit = isCascade ? viewers : calls;
      const low = 20 + whole(80);
      const limit = aLimit({ unit, atLeast: low, atMost: low + whole(20) });
      const spares = [{ kind: 'none' }, { kind: 'hosts', hosts: 1 }, { kind: 'hosts', hosts: 2 }] as const;
      const ask = anAsk({ headroom: 0.5 * random(), spare: spares[whole(3) - 1] ?? spares[0], prices }, whole(3000));
      const at = (own: HostLimit, asked: CapacityAsk) => capacityOf([own], asked);
      const here = at(limit, ask);
      const more = at(limit, {
        ...ask,
        demands: ask.demands.map((one) => ({ ...one, units: one.units + whole(500) })),
      });
      const tight = at(limit, { ...ask, headroom: ask.headroom + 0.1 });
      const wider = at({ ...limit, atLeast: low - 1, atMost: (limit.atMost ?? 0) + 3 }, ask).peak;
      const claims = {
        moreDemand: more.peak.hosts >= here.peak.hosts && (more.cost?.total ?? 0) >= (here.cost?.total ?? 0),
        moreHeadroom: tight.peak.hosts >= here.peak.hosts,
        fewestIsFewer: (here.peak.fewest ?? 0) <= here.peak.hosts,
        nests: wider.hosts >= here.peak.hosts && (wider.fewest ?? 0) <= (here.peak.fewest ?? 0),
      };
      expect(claims).toEqual({ moreDemand: true, moreHeadroom: true, fewestIsFewer: true, nests: true });
    }
  },
);

test(
  'with two kinds of host, more demand never costs less, and the fewest hosts are never more than those planned',
  both,
  () => {
    const random = randomFrom(9);
    for (let round = 0; round < times(5, 20); round += 1) {
      const size = () => 3 + Math.floor(random() * 60);
      const [a, b] = [size(), size()];
      const limits = [aLimit({ atLeast: a, atMost: a + 2 }), aLimit({ hostType: 'small', atLeast: b, atMost: b + 5 })];
      const spare = random() < 0.5 ? ({ kind: 'hosts', hosts: 1 } as const) : ({ kind: 'none' } as const);
      const { overDemand, peak } = capacityOf(limits, anAsk({ prices, spare }, 500));
      const costs = overDemand.map(({ costPerMonth = 0 }) => costPerMonth);
      expect(costs.every((cost, index) => cost >= (costs[index - 1] ?? 0) - 1e-9)).toBe(true);
      expect(peak.fewest ?? 0).toBeLessThanOrEqual(peak.hosts);
      expect(peak.fewestPerHour ?? 0).toBeLessThanOrEqual((peak.perHour ?? 0) + 1e-9);
    }
  },
);

/** 30,000 calls an hour of 4 minutes, on hosts of 17 places. */
function placed(fullHouse: FullHouse, changes: Partial<CapacityAsk> = {}) {
  const limits = [aLimit({ atLeast: 17, atMost: 17 })];
  return capacityOf(limits, anAsk({ demands: readDemand('30000 calls/h of 4m', limits, fullHouse), ...changes }));
}

test('how many hosts arrivals by chance need follows from how sessions come to them, and each way is told', () => {
  const hostsFor = (placement: FleetPlacement) => placed({ share: 0.01, what: 'turned-away', placement }).peak.hosts;
  // 2028 places of one pool are 120 hosts; each host alone takes 9.65 erlangs at 1 %, as tables have it.
  expect(hostsFor('least-loaded')).toBe(120);
  expect(hostsFor('hash')).toBe(Math.ceil(2000 / 9.652));
  expect(hostsFor('best-of-two')).toBeGreaterThan(130);
  expect(hostsFor('round-robin')).toBeGreaterThan(hostsFor('best-of-two'));
  expect(hostsFor('hash')).toBeGreaterThan(hostsFor('round-robin'));
  const { placements, assumptions } = placed({ share: 0.01, what: 'turned-away', placement: 'least-loaded' });
  const percents = placements.map(({ placement, share }) => [placement, Number((100 * share).toFixed(1))]);
  expect(percents).toEqual([
    ['least-loaded', 0.7],
    ['best-of-two', 7],
    ['round-robin', 11.3],
    ['hash', 16.1],
  ]);
  expect(assumptions).toContain(
    'Each session goes to the host with the fewest (least-loaded), which knows of all at once. A full host refuses, and somebody is turned away when all are full: Erlang B of one pool.',
  );
});

test('traffic and relays are for as many as may be there at once, which is more than one pool holds', () => {
  const limits = [aLimit({ atLeast: 18, atMost: 18 })];
  const of = (placement: FleetPlacement, share = 0.01) => {
    const demands = readDemand('30000 calls/h of 4m', limits, { share, what: 'turned-away', placement });
    return capacityOf(limits, anAsk({ demands, relayed: 1, relayMbps: 100 }));
  };
  const [pool, hashed] = [of('least-loaded'), of('hash')];
  expect([pool.peak.units[0], pool.relays?.hosts]).toEqual([2028, 41]);
  // 1,980 find a place on average, ± 44.5 at most: one in a hundred is 2.33 deviations above. All 3,456 places are
  // never taken.
  const units = hashed.peak.units[0] ?? 0;
  expect([hashed.peak.hosts, Math.abs(units - 1980 - 2.33 * 44.5) < 3]).toEqual([192, true]);
  expect([hashed.traffic?.egressMbps, hashed.relays?.hosts]).toEqual([units, Math.ceil((2 * units) / 100)]);
  // What the other ways need does not depend on which was asked for.
  const needed = ({ placements }: typeof pool) => placements.map(({ hostsNeeded }) => hostsNeeded);
  expect(needed(hashed)).toEqual(needed(pool));
});

test('where servers refuse nobody, it is told how often hosts have more than they are given', () => {
  const refused = placed({ share: 0.01, what: 'turned-away', placement: 'least-loaded' });
  const overloaded = placed({ share: 0.01, what: 'overloaded', placement: 'least-loaded' });
  // 2,000 ± 44.7: one in a hundred is 2.33 deviations above.
  expect(overloaded.peak.units[0]).toBeGreaterThan(2100);
  expect(overloaded.peak.units[0]).toBeLessThan(2110);
  expect(overloaded.peak.hosts).toBeGreaterThan(refused.peak.hosts);
  expect(overloaded.assumptions.join(' ')).toContain('Servers refuse nobody; told is how often all together');
  expect(placed({ share: 0.01, what: 'overloaded', placement: 'hash' }).peak.hosts).toBeGreaterThan(
    overloaded.peak.hosts,
  );
});

test('arrivals by chance pay for as many as are there on average, and hosts are for all places', () => {
  const billed = (text: string, what: 'turned-away' | 'overloaded') => {
    const limits = [aLimit()];
    const fullHouse = { share: 0.01, what, placement: 'least-loaded' } as const;
    const flat = { currency: 'EUR', hosts: { large: { perHour: 0.1 } }, egress: [{ perGb: 0.05 }] };
    return capacityOf(limits, anAsk({ demands: readDemand(text, limits, fullHouse), prices: flat }));
  };
  // 2 erlangs on 7 places: 0.34 % are turned away, so 1.993 calls of 1 Mbit/s are there, and not 7.
  const few = billed('30 calls/h of 4m', 'turned-away');
  expect(few.traffic?.egressMbps).toBe(7);
  expect(few.cost?.egressGb).toBeCloseTo(monthlyGigabytes(2 * (1 - 0.003_441), 730), 1);
  expect(few.cost?.total).toBeCloseTo(73 + 32.74, 2);
  expect(few.cost?.perUnitHour[0]).toBeCloseTo(0.0727, 4);
  expect(few.cost?.perParticipantHour).toBeCloseTo(0.0363, 4);
  const many = billed('3000 calls/h of 4m', 'turned-away');
  expect(many.traffic?.egressMbps).toBe(221);
  expect((many.cost?.egressGb ?? 0) / monthlyGigabytes(1, 730)).toBeCloseTo(198.02, 2);
  // Nobody is turned away, so that all 200 are there.
  const all = billed('3000 calls/h of 4m', 'overloaded');
  expect(all.cost?.egressGb).toBeCloseTo(monthlyGigabytes(200, 730), 6);
  expect(few.assumptions).toContain(
    'Traffic and hours of sessions by chance are counted by how many are there on average, not by places.',
  );
});

test('regions share no hosts, so that arrivals by chance need more of them than one region', () => {
  const regions = [0.4, 0.6].map((share) => ({ name: `${share}`, share }));
  for (const placement of ['least-loaded', 'hash'] as const) {
    const fullHouse = { share: 0.01, what: 'turned-away', placement } as const;
    const [one, two] = [placed(fullHouse).peak, placed(fullHouse, { regions }).peak];
    expect((two.units[0] ?? 0) > (one.units[0] ?? 0) && two.hosts >= one.hosts).toBe(true);
  }
});

test('a share that is next to nothing is told, and so is a demand that is asked twice', () => {
  const rare = placed({ share: 0.00001, what: 'turned-away', placement: 'least-loaded' });
  const sections = capacitySections(rare);
  expect(JSON.stringify(sections)).toContain('hosts for 0.001 %');
  expect(rare.assumptions.join(' ')).toMatch(/turns 0\.0009\d* % away/);
  const demands = [1, 2].map(() => ({ scenario: 'one-to-one', units: 100, asked: '100 calls' }));
  expect(capacityHeadline(capacityOf([aLimit({ atMost: 50 })], anAsk({ demands })))).toBe(
    '100 calls, and 100 calls: 4 hosts.',
  );
});

test('without head-room it is said that a limit is one of four trials in five', () => {
  const told = (headroom: number) => capacityOf([aLimit()], anAsk({ headroom })).assumptions.join(' ');
  expect(told(0)).toContain('one host in five may disturb somebody');
  expect(told(0.2)).not.toContain('one host in five');
});

test('a demand is read by its unit, its scenario, its participants or its arrivals, and each is said', () => {
  const known = [aLimit(), aLimit({ scenario: 'group', unit: { one: 'room', many: 'rooms' }, participantsPerUnit: 4 })];
  expect(readDemand('2000 calls', known)).toEqual([{ scenario: 'one-to-one', units: 2000, asked: '2000 calls' }]);
  expect(readDemand('1.5k rooms of group', known)[0]?.units).toBe(1500);
  expect(readDemand('10 participants of group', known)[0]).toMatchObject({
    units: 3,
    because: '10 participants are 3 rooms of 4 each.',
  });
  expect(readDemand('1000 participants: 70% one-to-one, 30% group', known).map(({ units }) => units)).toEqual([
    350, 75,
  ]);
  // 3000 an hour of 4 minutes are 200 erlangs; with 1 % turned away 221 places, as tables have it.
  const fullHouse = { share: 0.01, what: 'turned-away', placement: 'least-loaded' } as const;
  const [chance] = readDemand('3000 calls/h of 4m', known, fullHouse);
  expect(chance?.units).toBe(221);
  expect(chance?.because).toContain('200 at once on average');
});

test('a demand that cannot be read, or that no run measured, says what can be asked', () => {
  const known = [aLimit(), aLimit({ scenario: 'group', unit: calls })];
  for (const text of ['calls', '0 calls', '-3 calls', '2000', '10 calls: 100% one-to-one', '1e9 calls']) {
    expect(() => readDemand(text, known), text).toThrow(/is no demand/);
  }
  expect(() => readDemand('10 viewers', known)).toThrow(/No run that was named measured "viewers"/);
  expect(() => readDemand('10 calls', known)).toThrow(/may be of one-to-one or group/);
  expect(() => readDemand('10 calls of grup', known)).toThrow(/measured "grup"/);
  expect(() => readDemand('3000 calls/h of 4m of group', known)).toThrow(/arrivals by chance/);
  expect(() => readDemand('10 participants: 70% group', known)).toThrow(/70 % together/);
});
