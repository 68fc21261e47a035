import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

const plan = (name: string, ...args: readonly string[]) => runHere(['plan', name, ...args, '--max', '1']);
const onJanus = ['--server', 'janus://127.0.0.1:1', '--simulcast'] as const;
const large = ['--resolution', '1280x720', '--video-kbps', '2500'] as const;
const byHosts = ['--hosts', 'local:2', '--spoken-by', 'hosts'] as const;
const huge = ['--resolution', '1920x1080', '--video-kbps', '2500'] as const;

test('layers are sent in the words of the server, and the highest is asked for unless a flag says another', async () => {
  const simulcastOf = async (...args: readonly string[]) =>
    JSON.parse((await plan('sfu-group', '--room-size', '2', ...onJanus, ...large, ...args, '--format', 'json')).stdout)
      .plan.media.simulcast;
  expect(await simulcastOf()).toEqual({ rids: ['l', 'm', 'h'], asked: 'high' });
  expect(await simulcastOf('--layer', 'low')).toEqual({ rids: ['l', 'm', 'h'], asked: 'low' });
  const layout = await simulcastOf('--layout', 'speaker', '--visible', '3');
  expect(layout).toEqual({ rids: ['l', 'm', 'h'], asked: 'low', visible: 3, speaker: 'high' });
  expect(await simulcastOf('--visible', '3')).toEqual({ rids: ['l', 'm', 'h'], asked: 'high', visible: 3 });
  const { stdout } = await plan('sfu-group', '--room-size', '2', ...onJanus, ...large);
  expect(stdout).toContain('video in three layers, of which receivers ask for the high');
});

test('a grid with room for all others is told as that', async () => {
  const roomOf = async (size: string) =>
    (await plan('sfu-group', '--room-size', size, ...onJanus, ...large, '--layout', '3x3')).stdout;
  expect(await roomOf('9')).toContain('receivers show all others in the middle');
  expect(await roomOf('11')).toContain('receivers show up to 9 of the others in the middle');
});

const refused: readonly (readonly [readonly string[], string])[] = [
  [['sfu-group', ...onJanus], '--simulcast needs larger pictures than 640x360.'],
  [['sfu-group', ...onJanus, '--resolution', '1280x720'], '--simulcast needs --video-kbps 1000 or more, not 500.'],
  [['sfu-group', '--simulcast', ...large, '--server', 'kurento://127.0.0.1:1'], '--simulcast is not for a Kurento.'],
  [['audio-room', ...onJanus, ...large], '--simulcast is not for audio-room.'],
  [['sfu-audio-room', ...onJanus, ...large], '--simulcast is not for sfu-audio-room.'],
  [['sfu-group', ...onJanus, ...large, '--codec', 'AV1'], '--simulcast does not go with --codec AV1.'],
  [['sfu-group', ...onJanus, ...large, '--record'], '--simulcast does not go with recordings.'],
  [['sfu-group', ...onJanus, '--resolution', '640x360', '--media', 'native'], '--simulcast needs larger pictures'],
  [['sfu-group', ...onJanus, ...large, '--media', 'encoded'], 'of which Chromium makes one layer'],
  [['sfu-group', ...onJanus, ...large, '--media', 'native', '--codec', 'H264'], '--media native and --codec H264.'],
  [
    ['sfu-group', ...onJanus, ...huge, '--media', 'native'],
    '--media native does not play pictures larger than 1280x720',
  ],
  [
    ['broadcast', '--server', 'broadcast-box://127.0.0.1:1', '--simulcast', ...large, '--codec', 'H264', ...byHosts],
    '--simulcast does not go with --spoken-by hosts.',
  ],
  [['sfu-group', '--layer', 'low'], '--layer'],
  [['sfu-group', '--layout', '3x3'], '--layout'],
  [['sfu-group', ...onJanus, ...large, '--layout', '3x3', '--layer', 'low'], '--layer does not go with --layout.'],
  [['sfu-group', ...onJanus, ...large, '--layout', '3x3', '--visible', '12'], '--visible 12 is more than a 3x3 shows.'],
  [['sfu-group', ...onJanus, ...large, '--layout', '7x7'], '--layout'],
  [
    [
      'broadcast',
      '--server',
      'broadcast-box://127.0.0.1:1',
      '--simulcast',
      ...large,
      '--codec',
      'H264',
      '--visible',
      '1',
    ],
    '--visible is not for a Broadcast Box.',
  ],
  [
    ['sfu-group', ...onJanus, ...large, '--layout', 'speaker', '--by', 'arrivals', '--hold', '30s'],
    '--layout does not go with people who come and go.',
  ],
];

for (const [args, sentence] of refused) {
  test(`${args.join(' ')}: refused`, async () => {
    const { exitCode, stderr } = await plan(...(args as [string]));
    expect(exitCode).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(sentence);
  });
}
