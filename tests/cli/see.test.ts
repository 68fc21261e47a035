import { expect, test } from '@playwright/test';
import { testRefusals } from './refusals.js';
import { runHere } from './run-here.js';

const plan = (...args: readonly string[]) => runHere(['plan', ...args, '--max', '1']);

for (const words of [[], ['--media', 'native'], ['--media', 'encoded'], ['--draw-marks']])
  test(`pictures are compared in calls ${words.join(' ')}`, async () => {
    const limit = ['--threshold', 'received.video.ssim.p5 >= 0.8'];
    expect(await plan('one-to-one', '--see', '2', ...limit, ...words)).toMatchObject({ exitCode: 0 });
  });

testRefusals(plan, [
  [['one-to-one', '--see', '0'], '--see must be'],
  [['one-to-one', '--see', '9'], '--see must be'],
  [['group', '--see', '2'], '--see is not for group.'],
  [['audio-room', '--see', '2'], '--see is not for audio-room.'],
  [['one-to-one', '--see', '2', '--audio-only'], '--see is not for --audio-only.'],
  [['one-to-one', '--see', '2', '--media', 'none', '--by', 'arrivals'], '--see is not for --media none.'],
  [['visit', '--url', 'https://meet.example/{session}', '--see', '2'], '--see cannot be had when'],
]);
