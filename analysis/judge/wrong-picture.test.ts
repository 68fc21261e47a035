import { expect, test } from '@playwright/test';
import { senderOf } from '../../model/sender-mark.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const seen = (foreignPercent: number) =>
  judge(
    aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ delayMs: 20, foreignPercent, seen: senderOf('2b') }))),
  );

test('pictures of another sender make a trial unstable from a hundredth of the frames on, and are named', () => {
  expect(seen(0.9).kind).toBe('stable');
  expect(seen(5).reasons.map(({ text }) => text)).toEqual([
    '1a received video from 1b with the pictures of 2b in 5 % of its frames (limit 1 %).',
  ]);
});

test('whatever share of foreign frames there is: below the limit nothing is said, above it each time', () => {
  const random = randomFrom(23);
  for (let nth = 0; nth < times(200, 5000); nth += 1) {
    const percent = 100 * random() ** 6;
    const codes = seen(percent).reasons.map(({ code }) => code);
    expect(codes, `${percent} %`).toEqual(percent > 1 ? ['wrong-picture'] : []);
  }
});

test('where no sender marks its pictures there is no row of it, and nothing is judged', () => {
  const { thresholds, kind } = judge(aTrial(calls(2)));
  expect(kind).toBe('stable');
  expect(thresholds.map(({ code }) => code)).not.toContain('wrong-picture');
});
