import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { readingSentences } from './trust-sentences.js';

const sentencesWith = (probe: ReturnType<typeof aProbe>) =>
  readingSentences(
    aRun([aRecord(withProbes(calls(1), probe), { index: 1, size: 1 })], { outcome: 'found', stable: 1 }),
  );

test('round trips that cannot be are told with their number, those of a leg once and not for each of its streams', () => {
  const wrapped = (second: number) => (second === 7 || second === 9 ? 1_526_400 : 20);
  expect(sentencesWith(aProbe('1a').sendsVideo({ rttMs: wrapped }))[0]).toMatch(/^Left out: 2 round trips /);
  expect(sentencesWith(aProbe('1a').isRead({ rttMs: wrapped }))[0]).toMatch(/^Left out: 2 round trips /);
});

test('what was sent again stands beside the loss that is left, and nothing is said where nothing was', () => {
  expect(sentencesWith(aProbe('1a').receivesVideo({ resent: 5, lossPercent: 8 }))[0]).toContain('were sent again');
  expect(sentencesWith(aProbe('1a'))).toEqual([]);
});
