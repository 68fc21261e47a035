import { expect, test } from '@playwright/test';
import { mediaSchema } from '../model/plan.js';
import { layerAsked, participantsOf, receivedStreams, type Scenario } from '../model/scenario.js';
import { audioRoom, sfuAudioRoom } from './audio-room.js';
import { broadcast } from './broadcast.js';
import { group, sfuGroup } from './group.js';
import { scenarioOf } from './index.js';
import { oneToOne } from './one-to-one.js';
import { voiceAgent } from './voice-agent.js';
import { webinar } from './webinar.js';

const probesAt = (scenario: Scenario, size: number) => participantsOf(scenario.sessions(size));

test('a one-to-one call has two participants who receive each other', () => {
  const participants = probesAt(oneToOne, 3);
  expect(participants.map((participant) => participant.id)).toEqual(['1a', '1b', '2a', '2b', '3a', '3b']);
  expect(participants[4]?.legs).toEqual([
    { id: '3a', sends: ['audio', 'video'], receives: ['audio', 'video'], from: { participant: '3b' } },
  ]);
});

test('a broadcast of n viewers has n + 1 probes and its viewers send nothing', () => {
  const participants = probesAt(broadcast, 7);
  expect(participants).toHaveLength(8);
  const viewers = participants.filter((participant) => participant.role === 'viewer');
  expect(viewers).toHaveLength(7);
  expect(viewers.every((viewer) => viewer.legs.every((leg) => leg.sends.length === 0))).toBe(true);
});

test('everybody in a webinar receives all who speak but itself, and no picture of a hand that is up', () => {
  const participants = probesAt(webinar({ presenters: 2, handsUp: 1 }), 3);
  const heard = participants.map(({ id, role, legs }) => [
    id,
    role,
    ...legs
      .flatMap(receivedStreams)
      .map(({ kind, from }) => `${kind} ${from && 'participant' in from && from.participant}`),
  ]);
  expect(heard.slice(0, 4)).toEqual([
    ['1p1', 'presenter', 'audio 1p2', 'video 1p2', 'audio 1h1'],
    ['1p2', 'presenter', 'audio 1p1', 'video 1p1', 'audio 1h1'],
    ['1h1', 'hand-up', 'audio 1p1', 'video 1p1', 'audio 1p2', 'video 1p2'],
    ['1v1', 'viewer', 'audio 1p1', 'video 1p1', 'audio 1p2', 'video 1p2', 'audio 1h1'],
  ]);
  expect(heard).toHaveLength(6);
  expect(probesAt(webinar({ presenters: 1, handsUp: 0 }), 2).map(({ id }) => id)).toEqual(['1p1', '1v1', '1v2']);
});

test('members of an MCU room receive the mix, members of an SFU room every other member', () => {
  expect(probesAt(group(4), 2)).toHaveLength(8);
  expect(probesAt(group(4), 1)[0]?.legs[0]?.from).toEqual({ mix: true });
  const [first] = probesAt(sfuGroup(4), 1);
  expect(first?.legs.map((leg) => leg.id)).toEqual(['1a', '1a:from-1b', '1a:from-1c', '1a:from-1d']);
});

test('members of an SFU room of sound send their voice alone, and receive that of every other', () => {
  const [first] = probesAt(sfuAudioRoom(3), 1);
  expect(first?.legs).toEqual([
    { id: '1a', sends: ['audio'], receives: [] },
    { id: '1a:from-1b', sends: [], receives: ['audio'], from: { participant: '1b' } },
    { id: '1a:from-1c', sends: [], receives: ['audio'], from: { participant: '1c' } },
  ]);
});

test('a call to a voice agent sends and receives sound over one connection, on servers of WHIP, too', () => {
  const leg = { id: '2a', sends: ['audio'], receives: ['audio'] };
  expect(probesAt(voiceAgent, 2)[1]?.legs).toEqual([leg]);
  const onWhip = scenarioOf({ scenario: 'voice-agent', subscribe: 'each' });
  expect(onWhip?.sessions(2)[1]?.participants[0]?.legs).toEqual([leg]);
});

for (const scenario of [
  oneToOne,
  broadcast,
  group(4),
  group(30),
  sfuGroup(5),
  audioRoom(3),
  sfuAudioRoom(3),
  webinar({ presenters: 2, handsUp: 1 }),
]) {
  test(`every leg of ${scenario.name} has an id of its own and receives from someone who sends (${probesAt(scenario, 1).length} probes)`, () => {
    const participants = probesAt(scenario, 3);
    const legs = participants.flatMap((participant) => participant.legs);
    expect(new Set(legs.map((leg) => leg.id)).size).toBe(legs.length);
    const senders = new Set(
      participants.filter((one) => one.legs.some((leg) => leg.sends.length > 0)).map((one) => one.id),
    );
    for (const leg of legs) {
      expect(leg.receives.length > 0).toBe(leg.from !== undefined);
      if (leg.from && 'participant' in leg.from) expect(senders.has(leg.from.participant)).toBe(true);
    }
  });
}

test('where layers are asked for, each sent video has three and each received one names its own', () => {
  const simulcast = { rids: ['l', 'm', 'h'], asked: 'middle' } as const;
  const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500, simulcast });
  const layer = { name: 'middle', width: 640, kbps: 600 };
  for (const [name, subscribe] of [
    ['sfu-group', 'one'],
    ['sfu-group', 'each'],
    ['broadcast', 'each'],
  ] as const) {
    const scenario = scenarioOf({ scenario: name, roomSize: 3, subscribe, media });
    const legs = scenario ? probesAt(scenario, 1).flatMap((participant) => participant.legs) : [];
    const sent = legs
      .filter(({ sends }) => sends.includes('video'))
      .map(({ layers }) => layers?.map(({ kbps }) => kbps));
    expect(new Set(sent.map(String))).toEqual(new Set(['200,600,1700']));
    const asked = legs.flatMap(receivedStreams).map((stream) => [stream.kind, layerAsked(stream)]);
    expect(
      asked.filter(([kind]) => kind === 'video').every(([, found]) => JSON.stringify(found) === JSON.stringify(layer)),
    ).toBe(true);
    expect(asked.filter(([kind]) => kind === 'audio').every(([, found]) => found === undefined)).toBe(true);
  }
});

test('a plan says how many members a room has; without a word there are four', () => {
  const members = (plan: { scenario: string; roomSize?: number }) => {
    const scenario = scenarioOf(plan);
    return scenario && probesAt(scenario, 1).length;
  };
  expect(members({ scenario: 'group' })).toBe(4);
  expect(members({ scenario: 'group', roomSize: 7 })).toBe(7);
  expect(members({ scenario: 'sfu-group', roomSize: 3 })).toBe(3);
  expect(members({ scenario: 'one-to-one' })).toBe(2);
  expect(members({ scenario: 'one-to-two' })).toBeUndefined();
});
