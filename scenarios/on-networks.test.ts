import { expect, test } from '@playwright/test';
import { participantsOf, type Scenario } from '../model/scenario.js';
import { broadcast } from './broadcast.js';
import { group } from './group.js';
import { countsOf, onNetworks } from './on-networks.js';
import { oneToOne } from './one-to-one.js';
import { visit } from './visit.js';

const most = { name: 'clean', sharePercent: 90 };
const few = { name: 'poor-3g', sharePercent: 10 };

function networksOf(scenario: Scenario, size: number): string {
  return participantsOf(scenario.sessions(size))
    .map(({ id, network }) => `${id}:${network?.charAt(0)}`)
    .join(' ');
}

for (const [participants, counts] of [
  [1, [1, 0]],
  [2, [1, 1]],
  [4, [3, 1]],
  [10, [9, 1]],
  [20, [18, 2]],
  [26, [23, 3]],
  [200, [180, 20]],
] as const) {
  test(`of ${participants} participants ${counts[0]} have the network of 90 % and ${counts[1]} that of 10 %`, () => {
    expect(countsOf(participants, [most, few])).toEqual(counts);
  });
}

test('thirds give everybody a network, and nobody two', () => {
  const thirds = ['a', 'b', 'c'].map((name) => ({ name, sharePercent: 100 / 3 }));
  for (let participants = 1; participants < 50; participants += 1) {
    const counts = countsOf(participants, thirds);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(participants);
    if (participants >= 3) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
});

test('without networks a scenario is what it was', () => {
  expect(onNetworks(oneToOne, undefined)).toBe(oneToOne);
});

test('one network is that of everybody, and the baseline stays', () => {
  const scenario = onNetworks(oneToOne, [{ ...few, sharePercent: 100 }]);
  expect(scenario.baselineSize).toBe(1);
  expect(networksOf(scenario, 1)).toBe('1a:p 1b:p');
});

test('the baseline is a whole session on each network; larger sizes go by share, from the first network on', () => {
  const scenario = onNetworks(oneToOne, [most, few]);
  expect(scenario.baselineSize).toBe(2);
  expect(networksOf(scenario, 2)).toBe('1a:c 1b:c 2a:p 2b:p');
  expect(networksOf(scenario, 3)).toBe('1a:c 1b:c 2a:c 2b:c 3a:c 3b:p');
});

test('a leg knows the network of whom it hears', () => {
  const [session] = onNetworks(oneToOne, [most, few]).sessions(3).slice(-1);
  expect(session?.participants.map(({ legs }) => legs[0]?.from)).toEqual([
    { participant: '3b', network: 'poor-3g' },
    { participant: '3a', network: 'clean' },
  ]);
});

test('where an app names no sender, a stream counts as from the worst network that another member has', () => {
  const [lossy, slow] = [
    { name: 'lossy', sharePercent: 10, up: { loss: { kind: 'random', percent: 3 } as const } },
    { name: 'slow', sharePercent: 10, up: { delayMs: 40 } },
  ];
  const [room] = onNetworks(visit(3), [{ name: 'clean', sharePercent: 40 }, slow, lossy]).sessions(1);
  const heard = room?.participants.map(({ network, legs }) => {
    const { from } = legs[0] ?? {};
    return [network, from && 'map' in from ? new Set(from.map((one) => one.network)) : from];
  });
  expect(heard).toEqual([
    ['clean', new Set(['lossy'])],
    ['slow', new Set(['lossy'])],
    ['lossy', new Set(['slow'])],
  ]);
});

test('in a broadcast the presenter has the first network, and in the baseline a viewer each', () => {
  const scenario = onNetworks(broadcast, [most, few]);
  expect(networksOf(scenario, 2)).toBe('1p:c 1v1:c 1v2:p');
  expect(networksOf(scenario, 9)).toBe('1p:c 1v1:c 1v2:c 1v3:c 1v4:c 1v5:c 1v6:c 1v7:c 1v8:c 1v9:p');
});

test('rooms keep their members together as far as the shares allow', () => {
  expect(
    networksOf(
      onNetworks(group(4), [
        { name: 'a', sharePercent: 50 },
        { name: 'b', sharePercent: 50 },
      ]),
      4,
    ),
  ).toBe(
    [...'abcd'].flatMap((member) => `1${member}:a`).join(' ') +
      ['2', '3', '4']
        .map((room) => [...'abcd'].map((member) => ` ${room}${member}:${room === '2' ? 'a' : 'b'}`).join(''))
        .join(''),
  );
});
