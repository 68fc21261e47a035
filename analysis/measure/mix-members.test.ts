import { expect, test } from '@playwright/test';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { Participant } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import type { MeasuredStream } from './measured-stream.js';
import { withMembers } from './mix-members.js';

const member = (id: string): Participant => ({
  id,
  session: id.slice(0, -1),
  role: 'member',
  legs: [{ id, sends: ['video'], receives: ['video'], from: { mix: true } }],
});

function measured(id: string, direction: 'send' | 'receive', more: Partial<MeasuredStream>, drawnFps = 30) {
  const participant = member(id);
  const [leg] = participant.legs;
  const expected = { participant, leg, direction, kind: 'video', from: { mix: true } } as ExpectedStream;
  const values = direction === 'send' ? { drawnFps } : {};
  const summary = { probe: id, leg: id, direction, kind: 'video', values } as const;
  return { expected, count: 20, readMs: 20_000, unreportedMs: 0, unknown: { count: 0, ms: 0 }, summary, ...more };
}

/** What 1a sees in a room of three, whose members and one of another room have sent. */
function seenBy1a(looks: number, times: Readonly<Record<string, number>>, drawnFpsOf1c = 30, thereMsOf1c = 20_000) {
  const who = new Map(Object.entries(times).map(([id, seen]) => [senderOf(id), seen]));
  const streams = [
    measured('1a', 'receive', { looks: { looks, who } }),
    ...['1a', '1b', '2a'].map((id) => measured(id, 'send', {})),
    measured('1c', 'send', { readMs: thereMsOf1c }, drawnFpsOf1c),
  ];
  const [stream] = withMembers(streams, ['1a', '1b', '1c', '2a'].map(member), 20_000);
  const { foreignPercent, missingPercent } = stream?.summary.values ?? {};
  return { foreignPercent, missingPercent, missing: stream?.missing, foreign: stream?.foreignSender };
}

test('who is not in the mix is named, and nobody where all are', () => {
  expect(seenBy1a(20, { '1a': 20, '1b': 20 })).toMatchObject({ missingPercent: 100, missing: '1c', foreignPercent: 0 });
  expect(seenBy1a(20, { '1a': 20, '1b': 20, '1c': 19 }).missingPercent).toBeCloseTo(5);
  expect(seenBy1a(20, { '1b': 20, '1c': 20 }).missingPercent, 'a mix may leave out its receiver').toBe(0);
});

test('somebody of another room in it is told, and one that was read once is not', () => {
  const all = { '1a': 20, '1b': 20, '1c': 20 };
  expect(seenBy1a(20, { ...all, '2a': 20 })).toMatchObject({ foreignPercent: 100, foreign: senderOf('2a') });
  expect(seenBy1a(20, { ...all, '2a': 2 })).toMatchObject({ foreignPercent: 0, foreign: undefined });
});

/** Rooms of four, each with who looks at its mix and the share of twenty looks in which it shows each member. */
function missingIn(rooms: Readonly<Record<string, number>>) {
  const ids = Object.keys(rooms).flatMap((room) => ['a', 'b', 'c', 'd'].map((letter) => `${room}${letter}`));
  const looked = Object.entries(rooms).map(([room, share]) => {
    const who = new Map(ids.filter((id) => id.startsWith(room)).map((id) => [senderOf(id), 20 * share]));
    return measured(`${room}a`, 'receive', { looks: { looks: 20, who } });
  });
  const streams = [...looked, ...ids.map((id) => measured(id, 'send', {}))];
  return withMembers(streams, ids.map(member), 20_000)
    .slice(0, looked.length)
    .map(({ summary: { values }, unread }) => values.missingPercent?.toFixed() ?? unread);
}

test('where one room shows that marks can be read, who is missing most of the time is told of each', () => {
  expect(missingIn({ 1: 1, 2: 0.3, 3: 0.7 })).toEqual(['0', '70', '30']);
  expect(missingIn({ 1: 0.3, 2: 0.7 }), 'none can be read').toEqual([true, true]);
});

test('a black mix is a fault only where others sent pictures', () => {
  const black = measured('1a', 'receive', {});
  const stream = { ...black, summary: { ...black.summary, values: { blankPercent: 100 } } };
  const told = (drawnFps: number) =>
    withMembers([stream, measured('1b', 'send', {}, drawnFps)], ['1a', '1b'].map(member), 20_000)[0]?.summary.values;
  expect([told(30), told(0)]).toEqual([{ blankPercent: 100 }, {}]);
});

test('nothing is said of those who draw no marks, of few looks, and where marks are hard to read', () => {
  expect(seenBy1a(20, { '1a': 20, '1b': 20 }, 0).missing).toBe('1b');
  expect(seenBy1a(20, { '1a': 20, '1b': 20, '1c': 5 }, 30, 9_000).missingPercent, 'it came late').toBe(0);
  for (const [looks, times] of [
    [9, { '1a': 9, '1b': 9 }],
    [20, { '1a': 14, '1b': 14 }],
  ] as const)
    expect(seenBy1a(looks, times).missingPercent).toBeUndefined();
});
