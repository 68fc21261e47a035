import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { seededRandom } from '../../model/seeded-random.js';
import { type PlacedConnection, StreamSlots } from './stream-slots.js';

const leg: Leg = {
  id: '1a',
  sends: [],
  receives: ['video'],
  from: ['video 1', 'video 2'].map((stream) => ({ participant: 'others', kinds: ['video'], stream })),
};

/** Streams by their mid: how many packets came in the second; undefined: the app has ended it. */
function connection(streams: Readonly<Record<string, number | undefined>>, place = 'top 1'): PlacedConnection {
  return {
    id: '1',
    place,
    connectionState: 'connected',
    iceState: 'connected',
    leg: { leg: '1', connectionState: 'connected', rttMs: 4 },
    streams: Object.entries(streams).map(([mid, packetsReceived]) => ({
      direction: 'receive',
      kind: 'video',
      mid,
      arrived: true,
      wanted: packetsReceived !== undefined,
      sample: {
        leg: '1',
        direction: 'receive',
        kind: 'video',
        stream: mid,
        metrics: packetsReceived === undefined ? {} : { packetsReceived },
      },
    })),
  };
}

/** The packets of each place after each second. */
function played(seconds: readonly Readonly<Record<string, number | undefined>>[]): readonly (readonly unknown[])[] {
  const slots = new StreamSlots(leg);
  return seconds.map((streams) => {
    const connections = [connection(streams)];
    slots.take(connections);
    return slots
      .streams(connections)
      .map(({ metrics }) => ('packetsReceived' in metrics ? metrics.packetsReceived : '-'));
  });
}

test('streams keep their places while they last, whatever else comes', () => {
  expect(played([{ x: 10 }, { x: 11, y: 20 }, { z: 30, y: 21, x: 12 }])).toEqual([
    [10, '-'],
    [11, 20],
    [12, 21],
  ]);
});

test('of a stream whose frame has not told of a second nothing is known, and of one that is gone nothing came', () => {
  const slots = new StreamSlots(leg);
  const [one, other] = [connection({ x: 10 }, 'frame 1'), connection({ y: 20 }, 'frame 2')];
  slots.take([one, other]);
  const told = () => slots.streams([other]).map(({ metrics, restarted }) => [Object.keys(metrics).length, restarted]);
  expect(told()).toEqual([
    [0, true],
    [1, undefined],
  ]);
  slots.take([other]);
  expect(told()).toEqual([
    [0, undefined],
    [1, undefined],
  ]);
});

test('a stream that the app ends leaves its place to another one', () => {
  expect(
    played([
      { x: 10, y: 20 },
      { x: undefined, y: 21, z: 30 },
    ]),
  ).toEqual([
    [10, 20],
    [30, 21],
  ]);
});

test('a stream that stands still starves in its place, and nothing takes it when nothing else flows', () => {
  expect(
    played([
      { x: 10, y: 20 },
      { x: 0, y: 20 },
      { x: 0, y: 20 },
      { x: 0, y: 20 },
      { x: 0, y: 20 },
    ]),
  ).toEqual([
    [10, 20],
    [0, 20],
    [0, 20],
    [0, 20],
    [0, 20],
  ]);
});

test('after three seconds it gives its place to one that flows, as where an app shows another tile', () => {
  const still = { x: 0, y: 20, z: 30 };
  expect(played([{ x: 10, y: 20 }, still, still, still])).toEqual([
    [10, 20],
    [0, 20],
    [0, 20],
    [30, 20],
  ]);
});

test('seconds are counted once, however many frames of a page tell of them', () => {
  const slots = new StreamSlots(leg);
  const still = connection({ x: 0, y: 20, z: 30 });
  slots.take([connection({ x: 10, y: 20 })]);
  const packets = [1, 2, 3].map(() => {
    for (const isSecond of [true, false, false]) slots.take([still], isSecond);
    return slots.streams([still]).map(({ metrics }) => 'packetsReceived' in metrics && metrics.packetsReceived);
  });
  expect(packets).toEqual([
    [0, 20],
    [0, 20],
    [30, 20],
  ]);
});

test('of four streams for three places the one that dies starves in its place, though the fourth flows all along', () => {
  const dies = Array.from({ length: 180 }, (_, second) => ({ x: second < 20 ? 10 : 0, y: 20, z: 30 }));
  const starved = played(dies).filter(([first]) => first === 0).length;
  expect(starved).toBe(160);
});

test('what has not come is missing by its name, and a place that is empty has no metrics', () => {
  const slots = new StreamSlots(leg);
  slots.take([connection({ x: 10 })]);
  expect(slots.missing).toEqual(['video from others (video 2)']);
  expect(slots.hasReceived).toBe(false);
  slots.take([]);
  expect(slots.streams([]).map(({ metrics, stream }) => [stream, metrics])).toEqual([
    ['video 1', {}],
    ['video 2', {}],
  ]);
  expect(slots.legSample([])).toEqual({ leg: '1a', connectionState: 'none' });
});

test('a leg is as bad as the worst of its connections that carry something', () => {
  const slots = new StreamSlots(leg);
  const good = connection({ x: 10 });
  const bad: PlacedConnection = {
    ...connection({ x: 20 }, 'top 2'),
    leg: { leg: '2', connectionState: 'disconnected', rttMs: 9 },
  };
  const idle: PlacedConnection = { ...connection({}, 'top 3'), leg: { leg: '3', connectionState: 'failed' } };
  slots.take([good, bad, idle]);
  expect(slots.legSample([good, bad, idle])).toEqual({ leg: '1a', connectionState: 'disconnected', rttMs: 9 });
});

test('a dead stream starves in its place for as long as it is dead, and tiles that an app changes never do, whatever else flows', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = seededRandom(seed);
    const count = (most: number) => Math.floor(most * random());
    // One or two more than there are places for, all there from the start; in the second half of the seeds the app
    // changes tiles as well.
    const names = ['x', 'y', 'z', 'w'].slice(0, 2 + count(3));
    const changes = seed % 2 === 0 ? new Set([20 + count(10), 35 + count(10)]) : new Set<number>();
    const diesAt = 50 + count(60);
    const history = (dies: boolean) => {
      const shown = [...names];
      const ended: string[] = [];
      return Array.from({ length: 120 }, (_, second) => {
        if (changes.has(second)) {
          const nth = count(2);
          ended.push(shown[nth] as string);
          shown[nth] = `tile ${second}`;
        }
        const flowing = shown.map((name, nth) => [name, dies && nth === 0 && second >= diesAt ? 0 : 1 + count(30)]);
        return { ...Object.fromEntries(ended.map((name) => [name, undefined])), ...Object.fromEntries(flowing) };
      });
    };
    const starvedIn = (dies: boolean) =>
      played(history(dies)).map((places) => places.filter((one) => !one || one === '-').length);
    expect(
      starvedIn(false).filter((starved) => starved > 0),
      `seed ${seed}`,
    ).toEqual([]);
    const starved = starvedIn(true);
    expect(
      starved.slice(0, diesAt).every((one) => one === 0),
      `seed ${seed}`,
    ).toBe(true);
    const isSeen = starved.slice(diesAt).every((one) => one === 1);
    const isNobodys = starved.every((one) => one === 0);
    expect(isSeen || isNobodys, `seed ${seed}: ${starved.join('')}`).toBe(true);
    // Without changes the first that came has a place, so that it is always seen.
    if (changes.size === 0) expect(isSeen, `seed ${seed}`).toBe(true);
  }
});
