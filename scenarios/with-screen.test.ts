import { expect, test } from '@playwright/test';
import { mediaSchema } from '../model/plan.js';
import { participantsOf, receivedStreams } from '../model/scenario.js';
import { participant } from '../probes/hosts/wire-participants.js';
import { scenarioOf } from './index.js';

const membersOf = (scenario: string, subscribe?: 'one' | 'each' | 'same') => {
  const media = mediaSchema.parse({ screen: true, cameraOff: 0.5 });
  return participantsOf(scenarioOf({ scenario, subscribe, media })?.sessions(2) ?? []);
};

for (const subscribe of [undefined, 'one', 'each', 'same'] as const) {
  test(`all but its owner receive the one screen of a room, as such (${subscribe ?? 'as it is'})`, () => {
    const members = membersOf('sfu-group', subscribe);
    const screens = members.filter(({ legs }) => legs.some(({ screen }) => screen));
    expect(screens.map(({ id, role, legs }) => [id, role, legs.map(({ sends }) => sends)])).toEqual([
      ['1screen', 'screen', [['video']]],
      ['2screen', 'screen', [['video']]],
    ]);
    const seeing = members.filter(({ legs }) =>
      legs.flatMap(receivedStreams).some(({ from }) => from && 'participant' in from && from.screen),
    );
    expect(seeing.map(({ id }) => id)).toEqual(['1b', '1c', '1d', '2b', '2c', '2d']);
    expect(members.map((one) => participant.parse(one))).toEqual(members);
  });
}

test('cameras that are off are those of members, and a screen is none', () => {
  const dark = membersOf('sfu-group').filter(({ legs }) => !legs.some(({ sends }) => sends.includes('video')));
  expect(dark.map(({ id }) => id)).toEqual(['1c', '1d', '2c', '2d']);
});

test('who presents shares, and viewers see it', () => {
  const media = mediaSchema.parse({ screen: true });
  const members = participantsOf(scenarioOf({ scenario: 'webinar', media })?.sessions(1) ?? []);
  const [screen, ...others] = members.filter(({ legs }) => legs.some(({ id }) => id.includes('screen')));
  expect(screen?.id).toBe('1screen');
  expect(others.map(({ id }) => id)).toEqual(['1p2', '1h1', '1v1']);
});
