import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

const plan = (name: string, ...args: readonly string[]) => runHere(['plan', name, ...args, '--max', '1']);
const janus = ['--server', 'janus://127.0.0.1:1'] as const;
const vp9 = ['--codec', 'VP9'] as const;
const large = ['--resolution', '1280x720', '--video-kbps', '2500'] as const;
const onJanus = [...janus, ...vp9, ...large, '--svc', 'L3T3'] as const;

test('layers within a stream are planned with what receivers ask of them', async () => {
  const svcOf = async (...args: readonly string[]) =>
    JSON.parse((await plan('sfu-group', '--room-size', '2', ...onJanus, ...args, '--format', 'json')).stdout).plan.media
      .svc;
  expect(await svcOf()).toEqual({ mode: 'L3T3', asked: 'high' });
  expect(await svcOf('--layer', 'low')).toEqual({ mode: 'L3T3', asked: 'low' });
  const { stdout } = await plan('sfu-group', '--room-size', '2', ...onJanus, '--layer', 'middle');
  expect(stdout).toContain('video in the layers of L3T3, of which receivers ask for the middle');
});

const refused: readonly (readonly [readonly string[], string])[] = [
  [['sfu-group', ...janus, ...vp9, ...large, '--svc', 'L3T3h'], '--svc must be L1T2 or'],
  [['sfu-group', ...janus, ...large, '--svc', 'L3T3'], '--svc does not go with --codec VP8 on a Janus.'],
  [['sfu-group', ...janus, ...vp9, '--svc', 'L3T3'], '--svc L3T3 needs larger pictures than 640x360.'],
  [
    ['sfu-group', ...janus, ...vp9, '--svc', 'L2T1', '--video-kbps', '250'],
    '--svc L2T1 needs --video-kbps 300 or more',
  ],
  [['sfu-group', ...janus, ...vp9, '--svc', 'L2T1', '--layer', 'low'], '--svc L2T1 has no low layer.'],
  [['sfu-group', ...janus, ...vp9, ...large, '--svc', 'L2T1', '--layout', 'speaker'], '--svc L2T1 has no low layer.'],
  [['sfu-group', ...onJanus, '--simulcast'], '--svc does not go with --simulcast.'],
  [['sfu-group', ...onJanus, '--media', 'native'], '--svc is for --media full, not native.'],
  [['sfu-group', ...onJanus, '--media', 'encoded'], '--svc is for --media full, not encoded.'],
  [['sfu-group', ...onJanus, '--media', 'none'], '--svc is for --media full, not none.'],
  [['sfu-group', ...onJanus, '--record'], '--svc does not go with recordings.'],
  [['sfu-audio-room', ...onJanus], '--svc is not for sfu-audio-room.'],
  [['sfu-group', '--server', 'kurento://a', ...vp9, ...large, '--svc', 'L3T3'], '--svc is not for a Kurento.'],
  [['sfu-group', '--layer', 'low'], '--layer without --simulcast or --svc changes nothing.'],
];

for (const [args, sentence] of refused) {
  test(`${args.join(' ')}: refused`, async () => {
    const { exitCode, stderr } = await plan(...(args as [string]));
    expect(exitCode).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(sentence);
  });
}
