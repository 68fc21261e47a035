import { expect, test } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import { participantsOf } from '../../model/scenario.js';
import { participant } from '../../probes/hosts/wire-participants.js';
import { scenarioOf } from '../../scenarios/index.js';
import { testRefusals } from './refusals.js';
import { runHere } from './run-here.js';

const plan = (...args: readonly string[]) => runHere(['plan', ...args, '--max', '1']);

test('shares are in the plan, and nothing of them where none was asked for', async () => {
  const mediaOf = async (...args: readonly string[]) =>
    JSON.parse((await plan('sfu-group', ...args, '--format', 'json')).stdout).plan.media;
  expect(await mediaOf('--camera-off', '50%', '--muted', '0.75')).toMatchObject({ cameraOff: 0.5, muted: 0.75 });
  expect(await mediaOf('--audio-only')).toMatchObject({ audioOnly: true });
  expect(Object.keys(await mediaOf())).not.toEqual(expect.arrayContaining(['audioOnly']));
});

for (const media of ['full', 'encoded', 'native'])
  test(`${media} probes play cameras that are off and people who are mute`, async () => {
    const { exitCode, stdout } = await plan('sfu-group', '--camera-off', '50%', '--muted', '75%', '--media', media);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2 of 4 have the camera off, 3 of 4 are mute');
  });

test('people who speak and pause are in the plan and in its words, in rooms, calls and webinars', async () => {
  const spoken = ['sfu-group', 'one-to-one', 'webinar', 'audio-room'].map((name) => plan(name, '--speech', 'p59'));
  for (const { exitCode, stdout } of await Promise.all(spoken)) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain('people speak and pause as by ITU-T P.59');
  }
});

test('a share of mute members is of the room that was asked for', async () => {
  const { exitCode, stdout } = await plan('audio-room', '--room-size', '30', '--muted', '80%');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('24 of 30 are mute');
});

test('a webinar has as many presenters and hands up as asked, and keeps the others as usual', async () => {
  const summaryOf = async (...args: readonly string[]) => (await plan('webinar', ...args)).stdout;
  expect(await summaryOf()).toContain('a webinar: 2 present, 1 with a hand up speak');
  expect(await summaryOf('--presenters', '3')).toContain('a webinar: 3 present, 1 with a hand up speak');
  expect(await summaryOf('--hands-up', '0')).toContain('a webinar: 2 present, 0 with a hand up speak');
});

test('other hosts are told who is mute, and whose silence is to come', () => {
  for (const subscribe of ['one', 'each'] as const) {
    const media = mediaSchema.parse({ cameraOff: 0.5, muted: 0.5, speech: 'p59' });
    const members = participantsOf(scenarioOf({ scenario: 'sfu-group', subscribe, media })?.sessions(1) ?? []);
    expect(members.map((one) => participant.parse(one))).toEqual(members);
    expect(JSON.stringify(members)).toContain('"muted":true');
    expect(JSON.stringify(members)).toContain('"speech":{');
  }
});

testRefusals(plan, [
  [['audio-room', '--audio-only'], '--audio-only is not for audio-room.'],
  [['group', '--audio-only'], '--audio-only is not for group.'],
  [['sfu-group', '--audio-only', '--camera-off', '50%'], 'say the same thing twice.'],
  [['broadcast', '--camera-off', '50%'], '--camera-off is not for broadcast.'],
  [['broadcast', '--muted', '50%'], '--muted is not for broadcast.'],
  [['audio-room', '--camera-off', '50%'], '--camera-off is not for audio-room.'],
  [['sfu-group', '--camera-off', '100%'], '--camera-off 100% is 4 of the 4 who send pictures'],
  [['sfu-group', '--muted', '5%'], '--muted 5% is 0 of the 4 who send sound'],
  [['audio-room', '--muted', '75%'], '--muted 75% is 3 of the 4 who send sound'],
  [['sfu-group', '--media', 'none', '--by', 'arrivals', '--muted', '50%'], '--muted is not for --media none.'],
  [['broadcast', '--speech', 'p59'], '--speech is not for broadcast.'],
  [['voice-agent', '--speech', 'p59'], '--speech is not for voice-agent.'],
  [['agent-room', '--media', 'native', '--speech', 'p59'], '--speech is not for agent-room.'],
  [['one-to-one', '--muted', '50%', '--speech', 'p59'], '--speech is not for one-to-one.'],
  [['one-to-one', '--media', 'none', '--speech', 'p59'], '--speech is not for --media none.'],
  [['sfu-group', '--speech', 'p60'], '--speech'],
  [['visit', '--url', 'https://meet.example/{session}', '--speech', 'p59'], '--speech cannot be had when'],
  [['webinar', '--room-size', '4'], '--room-size is for scenarios with rooms'],
  [['sfu-group', '--presenters', '2'], '--presenters is not for sfu-group.'],
  [['webinar', '--by', 'arrivals'], '--by arrivals is not for webinar.'],
  [['visit', '--url', 'https://meet.example/{session}', '--muted', '50%'], '--muted cannot be had when'],
]);
