import { expect, test } from '@playwright/test';
import { type Aggregates, aggregateNames } from '../../model/aggregate.js';
import { randomFrom } from '../../tests/random.js';
import { KeptStates } from './kept-states.js';
import { noTally } from './probe-tally.js';

/** Some of the aggregates, in any order. */
function someValues(random: () => number): Aggregates {
  const names = aggregateNames.filter(() => random() < 0.4).sort(() => random() - 0.5);
  return Object.fromEntries(names.map((name) => [name, random() < 0.2 ? 0 : 1e12 * random()]));
}

function someLooks(random: () => number) {
  const who = Array.from(
    { length: Math.floor(4 * random()) },
    (_, nth) => [2 ** 31 + nth, Math.floor(9 * random())] as const,
  );
  return { looks: 1 + Math.floor(20 * random()), who: new Map(who) };
}

/** JSON has no maps. */
const written = (states: unknown) => JSON.stringify(states, (_, value) => (value instanceof Map ? [...value] : value));

test('what was kept of a window is had again to the byte, absent values as absent, in the same order', () => {
  const random = randomFrom(3);
  const kinds = Array.from({ length: 12 }, () => someValues(random));
  const kept = new KeptStates();
  const states = Array.from({ length: 3000 }, () => {
    const howMany = Math.floor(5 * random());
    const streams = Array.from({ length: howMany }, () => {
      const names = Object.keys(kinds[Math.floor(kinds.length * random())] ?? {});
      return {
        count: Math.floor(600 * random()),
        readMs: 6e5 * random(),
        unreportedMs: 6e4 * random(),
        unknown: { count: Math.floor(9 * random()), ms: 9e3 * random() },
        ...(random() < 0.2 ? { looks: someLooks(random) } : {}),
        values: Object.fromEntries(names.map((name) => [name, random()])) as Aggregates,
      };
    });
    const endedLateMs = random() < 0.5 ? undefined : random();
    const packetsSent = Math.floor(1e6 * random());
    const tally = {
      ...noTally,
      samples: 7,
      packetsSent,
      lastMs: 1.7e12 + random(),
      wasDisturbed: random() < 0.5,
      endedLateMs,
    };
    return { tally, streams };
  });
  const places = states.map(({ tally, streams }) => kept.keep(tally, streams));
  const again = places.map((place, nth) => {
    const howMany = states[nth]?.streams.length ?? 0;
    return { tally: kept.tally(place), streams: kept.streams(place, howMany) };
  });
  expect(written(again)).toBe(written(states));
});
