import { expect, test } from '@playwright/test';
import { type Leg, receivedName, receivedStreams, type Scenario } from '../model/scenario.js';
import type { Subscribing } from '../model/subscribing.js';
import { broadcast } from './broadcast.js';
import { group, sfuGroup } from './group.js';
import { onConnections } from './on-connections.js';
import { oneToOne } from './one-to-one.js';

const legText = (leg: Leg): string =>
  `${leg.id} sends ${leg.sends.join('+') || 'nothing'}, receives ${receivedStreams(leg).map(receivedName).join(', ') || 'nothing'}`;

function legs(scenario: Scenario, subscribing: Subscribing | undefined, size = 1): readonly string[] {
  const sessions = onConnections(scenario, subscribing).sessions(size);
  return sessions.flatMap(({ participants }) => participants).flatMap((one) => one.legs.map(legText));
}

test('where one connection may carry both ways, a scenario stays as it is', () => {
  expect(onConnections(oneToOne, undefined)).toBe(oneToOne);
});

test('a call becomes a sending and a receiving connection for each end, however many may be received by one', () => {
  for (const subscribing of ['one', 'each'] as const) {
    expect(legs(oneToOne, subscribing)).toEqual([
      '1a sends audio+video, receives nothing',
      '1a:from-1b sends nothing, receives audio from 1b, video from 1b',
      '1b sends audio+video, receives nothing',
      '1b:from-1a sends nothing, receives audio from 1a, video from 1a',
    ]);
  }
});

test('members of a room receive all others over one connection, or each over one of its own', () => {
  expect(legs(sfuGroup(3), 'one').slice(0, 2)).toEqual([
    '1a sends audio+video, receives nothing',
    '1a:from-all sends nothing, receives audio from 1b, video from 1b, audio from 1c, video from 1c',
  ]);
  expect(legs(sfuGroup(3), 'each')).toEqual(legs(sfuGroup(3), undefined));
});

test('a broadcast has one direction on each connection already', () => {
  expect(legs(broadcast, 'one', 2)).toEqual(legs(broadcast, undefined, 2));
  expect(legs(broadcast, 'each', 2)).toEqual(legs(broadcast, undefined, 2));
});

test('where there are several to receive, the plan says by how many connections', () => {
  const said = (scenario: Scenario, subscribing: Subscribing) =>
    onConnections(scenario, subscribing).summary.slice(scenario.summary.length);
  expect(said(sfuGroup(3), 'one')).toBe(', all over one connection');
  expect(said(sfuGroup(3), 'each')).toBe(', each over one of its own');
  expect(said(oneToOne, 'one')).toBe('');
});

test('where one connection carries both ways, each has one leg, under its own name', () => {
  expect(legs(oneToOne, 'same')).toEqual(legs(oneToOne, undefined));
  expect(legs(sfuGroup(3), 'same')[0]).toBe(
    '1a sends audio+video, receives audio from 1b, video from 1b, audio from 1c, video from 1c',
  );
  expect(legs(broadcast, 'same', 2)).toEqual(legs(broadcast, undefined, 2));
});

test('a session that is mixed is left as it is', () => {
  expect(legs(group(3), 'one')).toEqual(legs(group(3), undefined));
});

test('whatever the connections, each participant must receive the same streams', () => {
  for (const scenario of [oneToOne, broadcast, sfuGroup(4)]) {
    const received = (subscribing: Subscribing | undefined) =>
      onConnections(scenario, subscribing)
        .sessions(3)
        .flatMap(({ participants }) => participants)
        .map(({ id, legs: all }) => [id, ...all.flatMap((leg) => receivedStreams(leg).map(receivedName)).sort()]);
    expect(received('one')).toEqual(received(undefined));
    expect(received('each')).toEqual(received(undefined));
  }
});
