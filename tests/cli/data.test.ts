import { expect, test } from '@playwright/test';
import { testRefusals } from './refusals.js';
import { runHere } from './run-here.js';

const plan = (...args: readonly string[]) => runHere(['plan', ...args, '--max', '1']);

test('messages are in the plan, in its words and among its limits', async () => {
  const { exitCode, stdout } = await plan('sfu-group', '--room-size', '3', '--data', '10/s');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('who sends media sends 10 messages a second, too');
  expect(stdout).toContain('messages lost ≤ 0 %, delay of messages p95 of seconds ≤ 400 ms');
  expect((await plan('one-to-one', '--data', '5', '--no-record')).exitCode).toBe(0);
});

testRefusals(plan, [
  [['one-to-one', '--data', '0/s'], '--data must be a whole number of messages per second, from 1 to 100'],
  [['one-to-one', '--data', '2.5/s'], '--data must be a whole number of messages per second, from 1 to 100'],
  [['one-to-one', '--data', '101/s'], '--data must be a whole number of messages per second, from 1 to 100'],
  [['one-to-one', '--data', '10/s', '--media', 'native'], '--data is for --media full or encoded, not native.'],
  [
    ['one-to-one', '--data', '10/s', '--media', 'none', '--by', 'arrivals'],
    '--data is for --media full or encoded, not',
  ],
  [['one-to-one', '--data', '10/s', '--server', 'kurento://127.0.0.1'], '--data is not for a Kurento.'],
  [['one-to-one', '--data', '10/s', '--server', 'mediamtx://127.0.0.1'], '--data is not for '],
  [['one-to-one', '--data', '10/s'], '--data does not go with recordings.'],
  [['group', '--data', '10/s'], '--data is not for group.'],
  [['voice-agent', '--data', '10/s'], '--data is not for voice-agent.'],
  [
    ['one-to-one', '--data', '10/s', '--by', 'arrivals', '--no-record'],
    '--data does not go with people who come and go.',
  ],
  [['visit', '--url', 'https://meet.example/{session}', '--data', '10/s'], '--data cannot be had when'],
]);
