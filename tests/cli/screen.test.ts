import { expect, test } from '@playwright/test';
import { testRefusals } from './refusals.js';
import { runHere } from './run-here.js';

const plan = (...args: readonly string[]) => runHere(['plan', ...args, '--max', '1']);

test('a shared screen is in the plan and in its words', async () => {
  const { exitCode, stdout } = await plan('sfu-group', '--room-size', '2', '--screen');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('one shares a screen');
});

testRefusals(plan, [
  [['sfu-group', '--screen', '--media', 'native'], '--screen is for --media full, not native.'],
  [['sfu-group', '--screen', '--media', 'encoded'], '--screen is for --media full, not encoded.'],
  [['sfu-group', '--screen', '--media', 'none', '--by', 'arrivals'], '--screen is for --media full, not none.'],
  [['sfu-group', '--screen', '--audio-only'], '--screen is not for --audio-only.'],
  [['group', '--screen'], '--screen is not for group.'],
  [['audio-room', '--screen'], '--screen is not for audio-room.'],
  [['sfu-group', '--screen', '--by', 'arrivals'], '--screen is not for sfu-group.'],
  [['one-to-one', '--screen', '--record'], '--screen does not go with recordings.'],
  [['visit', '--url', 'https://meet.example/{session}', '--screen'], '--screen cannot be had when'],
]);
