import { expect, test } from '@playwright/test';
import type { Spread } from '../../model/plan.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { placed, placedComing, type RoomyHost } from './placement.js';

const calls = (size: number) => oneToOne.sessions(size).flatMap((session) => session.participants);
/** The hosts of the participants, in their order. */
const dealt = (size: number, hosts: readonly RoomyHost[], spread: Spread) =>
  [...placed(calls(size), hosts, spread).values()].join('');

const a: RoomyHost = { id: 'a', cores: 4, carries: 4, place: 'east' };
const b: RoomyHost = { id: 'b', cores: 4, carries: 4, place: 'west' };
const c: RoomyHost = { id: 'c', cores: 8, carries: 8, place: 'west' };

const told: readonly (readonly [Spread, readonly RoomyHost[], string])[] = [
  ['even', [a, b], 'abababab'],
  ['even', [a, c], 'caccacca'],
  [
    'even',
    [
      { id: 'a', cores: 2 },
      { id: 'c', cores: 6, carries: 40 },
    ],
    'ccacccac',
  ],
  ['pack', [a, b], 'aaaabbbb'],
  ['sessions-together', [a, b], 'aabbaabb'],
  ['by-place', [a, b, c], 'acabacac'],
];

for (const [spread, hosts, places] of told) {
  test(`four calls, ${spread}, on ${hosts.map(({ id, cores }) => `${id} of ${cores} cores`).join(' and ')}: ${places}`, () => {
    expect(dealt(4, hosts, spread)).toBe(places);
  });
}

test('when packed hosts are full, the rest goes by what each carries; nobody is left out', () => {
  expect(dealt(6, [a, b], 'pack')).toBe('aaaabbbbabab');
});

for (const [atOnce, hosts, places] of [
  [4, [a, b], 'aaaaaaaa'],
  [6, [a, b], 'abababab'],
  [9, [a, b], 'abababab'],
] as const) {
  test(`where they come and go and ${atOnce} are there at a time, ${hosts.length} hosts are packed in the order in which they come: ${places}`, () => {
    expect([...placedComing(calls(4), hosts, { spread: 'pack', atOnce }).values()].join('')).toBe(places);
  });
}

const oneInTen = (size: number) => new Set(calls(size).flatMap(({ id }, nth) => (nth % 10 === 0 ? id : [])));

for (const [spread, size, hosts, shares] of [
  ['even', 20, [a, b], { a: [20, 2], b: [20, 2] }],
  ['even', 40, [a, b, c], { a: [20, 2], b: [20, 2], c: [40, 4] }],
  ['sessions-together', 20, [a, b], { a: [20, 2], b: [20, 2] }],
  ['by-place', 30, [a, b, c], { a: [30, 3], b: [10, 1], c: [20, 2] }],
] as const) {
  test(`of those who are rare each host has its share, and of all, ${spread} on ${hosts.map(({ id }) => id).join(', ')}`, () => {
    const rare = oneInTen(size);
    const choice = placed(calls(size), hosts, spread, rare);
    const counts = hosts.map(({ id }) => {
      const own = calls(size).filter((one) => choice.get(one.id) === id);
      return [id, [own.length, own.filter((one) => rare.has(one.id)).length]];
    });
    expect(Object.fromEntries(counts)).toEqual(shares);
  });
}

test('where two hosts take turns, those who are rare would be on one of them if nobody looked', () => {
  const choice = placed(calls(20), [a, b], 'even');
  expect([...oneInTen(20)].map((id) => choice.get(id))).toEqual(['a', 'a', 'a', 'a']);
});
