import { expect, test } from '@playwright/test';
import { scenarioOf } from '../../scenarios/index.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import type { Batch, HostMessage } from './host-messages.js';
import { HostShare } from './host-share.js';

const participants = oneToOne.sessions(1).flatMap((session) => session.participants);

const batch = (number: number, told: readonly HostMessage[], length = 1000): Batch => ({
  host: 'h',
  trial: 't',
  number,
  told,
  length,
});
const sample = { probe: '1a', atMs: 1, intervalMs: 1000, lateMs: 0, legs: [], streams: [] };
const samples = (count: number): HostMessage => ({
  is: 'samples',
  samples: Array.from({ length: count }, () => sample),
});
const event: HostMessage = { is: 'event', event: { type: 'warning', atMs: 1, text: 'x' } };

test('an honest host may tell all of a day, and what waited for minutes at once', () => {
  const share = new HostShare(participants, 0);
  const said: (string | undefined)[] = [];
  for (let second = 1; second <= 86_400; second += 1) {
    const late = second % 600 === 0 ? 120 : second % 600 < 480 ? 1 : 0;
    const lengthOfAll = 2 * 4 * 650 + 1000;
    const told: HostMessage[] = late === 0 ? [] : [samples(2 * late)];
    said.push(share.excess(batch(second, told, late * lengthOfAll), second * 1000));
  }
  expect(said.filter((one) => one !== undefined)).toEqual([]);
});

test('a room whose members receive all others over one connection may tell of each stream', () => {
  const members = scenarioOf({ scenario: 'sfu-group', roomSize: 100, subscribe: 'one' })
    ?.sessions(1)
    .flatMap((session) => session.participants);
  const share = new HostShare(members ?? [], 0);
  const lengthOfAll = 100 * (2 + 2 * 99) * 650;
  for (let second = 1; second <= 600; second += 1)
    expect(share.excess(batch(second, [samples(100)], lengthOfAll), second * 1000)).toBeUndefined();
});

for (const { what, told, length, word } of [
  { what: 'samples', told: [samples(100)], length: 1000, word: 'samples' },
  { what: 'events', told: Array.from({ length: 50 }, () => event), length: 1000, word: 'events' },
  { what: 'samples that were dropped', told: [{ is: 'dropped', samples: 1 }], length: 100, word: 'events' },
  { what: 'megabytes', told: [], length: 1_000_000, word: 'characters' },
] as const) {
  test(`a host that tells of ${what} without end is past its share`, () => {
    const share = new HostShare(participants, 0);
    let said: string | undefined;
    let number = 0;
    for (; number < 10_000 && said === undefined; number += 1)
      said = share.excess(batch(number + 1, told, length), 1000);
    expect(said).toMatch(new RegExp(`^it told more than a host has to tell of a trial: \\d+ ${word}, where \\d+ are`));
  });
}

test('numbers that leave gaps are told as events, and have their bound', () => {
  const share = new HostShare(participants, 0);
  const said = Array.from({ length: 3000 }, (_, nth) => share.excess(batch(2 * nth + 2, []), 1000));
  expect(said[0]).toBeUndefined();
  expect(said.at(-1)).toContain('events');
});

test('of what it kept of failed probes eight are taken', () => {
  const share = new HostShare(participants, 0);
  expect(Array.from({ length: 100 }, () => share.takesArtifacts()).filter(Boolean)).toHaveLength(8);
});
