import { expect, test } from '@playwright/test';
import type { HostSpread } from '../../model/plan.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { placed, placedComing, type RoomyHost } from './placement.js';

const calls = (size: number) => oneToOne.sessions(size).flatMap((session) => session.participants);
/** The hosts of the participants, in their order. */
const dealt = (size: number, hosts: readonly RoomyHost[], spread: HostSpread) =>
  [...placed(calls(size), hosts, spread).values()].join('');

const a: RoomyHost = { id: 'a', cores: 4, carries: 4, place: 'east' };
const b: RoomyHost = { id: 'b', cores: 4, carries: 4, place: 'west' };
const c: RoomyHost = { id: 'c', cores: 8, carries: 8, place: 'west' };

const told: readonly (readonly [HostSpread, readonly RoomyHost[], string])[] = [
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
