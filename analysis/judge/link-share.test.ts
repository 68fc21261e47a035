import { expect, test } from '@playwright/test';
import type { Aggregates } from '../../model/aggregate.js';
import type { Network } from '../../model/network.js';
import { mediaSchema, thresholdsSchema, timingSchema } from '../../model/plan.js';
import type { UnstableCode } from '../../model/verdict.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { rulesOf } from './own-rules.js';

const link = { loss: { kind: 'random', percent: 3 } } as const;
const network: Network = { name: 'lossy', sharePercent: 100, up: {}, down: link, steps: [] };
const thresholds = thresholdsSchema.parse({});
const values: Aggregates = { lossPercent: 9, frozenPercent: 30, frozenMs: 18_000, worstLossPercent5s: 9 };

/** What is allowed in a window of so many seconds of one who is behind that link on the way down. */
function allowed(code: UnstableCode, kind: 'audio' | 'video', windowSeconds: number, readSeconds?: number) {
  const participant = { ...aProbe('1a').participant(), network: network.name };
  const [leg] = participant.legs;
  if (!leg) throw new Error('a probe without a leg');
  const stream = { participant, leg: { ...leg, from: { participant: '1b' } }, direction: 'receive', kind } as const;
  const measure = {
    thresholds,
    baseline: null,
    media: mediaSchema.parse({}),
    timing: timingSchema.parse({ measureMs: 1000 * windowSeconds }),
    networks: [network],
    among: 12,
  };
  const rule = rulesOf(thresholds).find((one) => one.code === code && one.concerns(stream, measure));
  const read = readSeconds === undefined ? {} : { readMs: 1000 * readSeconds };
  return rule?.ofLink?.({ stream, values, ...read }, measure)?.withChance ?? Number.NaN;
}

test('chance is that of the time in which a stream was read, and not of the window: 6.71 % of 10 s, 4.38 % of 60 s', () => {
  expect(allowed('audio-loss', 'audio', 60)).toBeCloseTo(4.38, 2);
  expect(allowed('audio-loss', 'audio', 60, 60)).toBeCloseTo(4.38, 2);
  expect(allowed('audio-loss', 'audio', 60, 10)).toBeCloseTo(6.71, 2);
});

test('one freeze is as much of the time in which a video was shown as it is of a window of that length', () => {
  const [whole, part] = [allowed('frozen', 'video', 60, 60), allowed('frozen', 'video', 60, 10)];
  expect(part).toBeGreaterThan(whole);
  expect(part).toBeCloseTo(allowed('frozen', 'video', 10), 9);
});
