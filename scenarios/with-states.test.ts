import { expect, test } from '@playwright/test';
import { mediaSchema } from '../model/plan.js';
import { type Leg, participantsOf, receivedStreams, receivesMix } from '../model/scenario.js';
import { scenarioOf } from './index.js';

type Crowd = Partial<ReturnType<typeof mediaSchema.parse>>;

const named = (scenario: string, crowd: Crowd, subscribe?: 'one') => {
  const found = scenarioOf({ scenario, subscribe, media: mediaSchema.parse(crowd) });
  if (!found) throw new Error(`no scenario ${scenario}`);
  return found;
};
const legsOf = (...asked: Parameters<typeof named>): readonly Leg[] =>
  participantsOf(named(...asked).sessions(2)).flatMap(({ legs }) => legs);

for (const subscribe of [undefined, 'one'] as const) {
  test(`whose camera is off sends no picture and nobody waits for one (${subscribe ?? 'a connection each'})`, () => {
    const legs = legsOf('sfu-group', { cameraOff: 0.5 }, subscribe);
    const dark = legs.filter(({ sends }) => sends.length > 0 && !sends.includes('video')).map(({ id }) => id);
    expect(dark).toEqual(['1c', '1d', '2c', '2d']);
    const pictures = legs.flatMap(receivedStreams).filter(({ kind }) => kind === 'video');
    const sources = new Set(pictures.map(({ from }) => (from && 'participant' in from ? from.participant : '')));
    expect([...sources].sort()).toEqual(['1a', '1b', '2a', '2b']);
    expect(pictures).toHaveLength(2 * (2 * 1 + 2 * 2));
    expect(legs.flatMap(receivedStreams).filter(({ kind }) => kind === 'audio')).toHaveLength(2 * 4 * 3);
  });

  test(`who is mute sends a sound all the same, and each receiver knows whose is mute (${subscribe ?? 'each'})`, () => {
    const legs = legsOf('sfu-group', { muted: 0.25 }, subscribe);
    expect(legs.filter(({ muted }) => muted).map(({ id }) => id)).toEqual(['1d', '2d']);
    const muted = legs.flatMap(receivedStreams).filter(({ from }) => from && 'participant' in from && from.muted);
    expect(muted.filter(({ kind }) => kind === 'audio')).toHaveLength(2 * 3);
  });
}

test('who is not mute has a place in the one conversation of a room, and whoever hears it knows which', () => {
  const legs = legsOf('sfu-group', { muted: 0.25, speech: 'p59' });
  const own = legs.flatMap(({ id, sends, speech }) =>
    sends.length > 0 ? [[id, speech?.conversation, speech?.nth]] : [],
  );
  expect(own).toEqual([
    ...['1a', '1b', '1c'].map((id, nth) => [id, '1', nth]),
    ['1d', undefined, undefined],
    ...['2a', '2b', '2c'].map((id, nth) => [id, '2', nth]),
    ['2d', undefined, undefined],
  ]);
  const heard = legs.flatMap(receivedStreams).flatMap(({ kind, from }) => (kind === 'audio' && from ? [from] : []));
  for (const from of heard) {
    const id = 'participant' in from ? from.participant : '';
    expect(from).toHaveProperty(id.endsWith('d') ? 'muted' : 'speech');
  }
});

test('every session is like the first, so that one alone is the measure of all', () => {
  const shape = ({ id: _, ...leg }: Leg) => ({ ...leg, from: JSON.stringify(leg.from)?.replace(/"\d/g, '"') });
  const [first, second] = named('sfu-group', { cameraOff: 0.5, muted: 0.75 }).sessions(2);
  const shapes = (session: typeof first) => session?.participants.map(({ legs }) => legs.map(shape));
  expect(shapes(second)).toEqual(shapes(first));
});

test('with sound alone there is no picture anywhere, of who presents neither, and no connection without media', () => {
  for (const scenario of ['one-to-one', 'broadcast', 'sfu-group']) {
    for (const { sends, receives } of legsOf(scenario, { audioOnly: true })) {
      expect([...sends, ...receives].every((kind) => kind === 'audio')).toBe(true);
      expect(sends.length + receives.length).toBeGreaterThan(0);
    }
  }
});

test('in a mix everybody receives a picture, whoever has the camera off', () => {
  const legs = legsOf('group', { cameraOff: 0.5, muted: 0.5 });
  expect(legs.every((leg) => receivesMix(leg) && leg.receives.includes('video'))).toBe(true);
  expect(legs.filter(({ sends }) => sends.includes('video'))).toHaveLength(4);
  expect(legs.filter(({ muted }) => muted)).toHaveLength(4);
});

test('layers are sent and asked for of the cameras that are on', () => {
  const simulcast = { rids: ['l', 'm', 'h'], asked: 'low' } as const;
  const legs = legsOf('sfu-group', { cameraOff: 0.5, simulcast: { ...simulcast, rids: [...simulcast.rids] } });
  expect(legs.filter(({ layers }) => layers).map(({ id }) => id)).toEqual(['1a', '1b', '2a', '2b']);
});

test('the plan says how many of how many', () => {
  expect(named('sfu-group', { cameraOff: 0.5, muted: 0.8 }).summary).toContain(
    '; 2 of 4 have the camera off, 3 of 4 are mute',
  );
  expect(named('broadcast', { audioOnly: true }).summary).toContain('; nobody sends pictures');
});
