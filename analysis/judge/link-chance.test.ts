import { expect, test } from '@playwright/test';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { Loss, Network } from '../../model/network.js';
import { mediaSchema, thresholdsSchema, timingSchema } from '../../model/plan.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { both, times } from '../../tests/effort.js';
import { aloneOf, type LossyStream, measureLossy } from '../../tests/lossy-stream.js';
import { randomFrom } from '../../tests/random.js';
import { baselineKey } from '../measure/baseline-key.js';
import { pathSpread } from './link-model.js';
import { rulesOf } from './own-rules.js';
import type { StreamMeasure } from './stream-rules.js';

type Direction = 'send' | 'receive';

function lossOf(percent: number, burst: number): Loss {
  if (burst === 1) return { kind: 'random', percent };
  const leavePercent = 100 / burst;
  const enterPercent = (percent * leavePercent) / (100 - percent);
  return { kind: 'bursts', enterPercent, leavePercent, lossInBadPercent: 100, lossInGoodPercent: 0 };
}

function streamOn(network: string, direction: Direction, kind: 'audio' | 'video'): ExpectedStream {
  const participant = { ...aProbe('1a').participant(), network };
  const [leg] = participant.legs;
  if (!leg) throw new Error('a probe without a leg');
  return { participant, leg: { ...leg, from: { participant: '1b', network } }, direction, kind };
}

interface Case {
  readonly direction: Direction;
  readonly kind: 'audio' | 'video';
  readonly percent: number;
  readonly burst: number;
  readonly seconds: number;
  /** Streams that are judged beside it; absent: none. */
  readonly among?: number;
}

/**
 * How often each rule fails of so many pairs of a baseline and a trial, in which the server loses so much by itself.
 */
function failuresOf(one: Case, pairs: number, seed: number, serverPercent = 0): Map<string, number> {
  const { direction, kind, percent, burst, seconds, among = 1 } = one;
  const link = { delayMs: 40, loss: lossOf(percent, burst) };
  const network: Network = { name: 'lossy', sharePercent: 100, up: link, down: link, steps: [] };
  const stream = streamOn(network.name, direction, kind);
  const key = baselineKey(['caller', direction, kind], network.name);
  const ways = direction === 'send' ? [percent] : [percent, percent];
  const alone: LossyStream = { kind, direction, seconds, ways, burst };
  const loaded: LossyStream = serverPercent === 0 ? alone : { ...alone, ways: [...ways, serverPercent] };
  const thresholds = thresholdsSchema.parse({});
  const media = mediaSchema.parse({});
  const timing = timingSchema.parse({ measureMs: seconds * 1000 });
  const random = randomFrom(seed);
  const rules = rulesOf(thresholds);
  const failures = new Map<string, number>();
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = measureLossy(alone, random);
    const values = measureLossy(loaded, random);
    const usual = { thresholds, media, timing, networks: [network], among };
    const later: StreamMeasure = { ...usual, baseline: { streams: { [key]: aloneOf(first) } } };
    for (const measure of [{ ...usual, baseline: null }, later]) {
      for (const rule of rules) {
        if (!rule.concerns(stream, measure)) continue;
        const value = rule.value({ stream, values }, measure);
        if (value === undefined) continue;
        const limit = rule.limit(thresholds);
        const name = `${rule.code}${measure.baseline ? '' : ', in the baseline'}`;
        const failed = rule.comparison === 'at-most' ? value > limit : value < limit;
        failures.set(name, (failures.get(name) ?? 0) + (failed ? 1 : 0));
      }
    }
  }
  return failures;
}

function casesOf(kind: Case['kind'], burst: number): Case[] {
  return [1, 3, 8].flatMap((percent) =>
    [12, 60].flatMap((seconds) =>
      (['send', 'receive'] as const).map((direction): Case => ({ direction, kind, percent, burst, seconds })),
    ),
  );
}

/**
 * Of 3000 pairs of a case at most 3 failed a rule, over all cases 0.02 %; so few are enough to notice that one has come
 * loose.
 */
const pairs = times(50, 600);
const mostFalse = 0.001;

for (const [index, kind] of (['audio', 'video'] as const).entries()) {
  for (const burst of [1, 5]) {
    test(
      `a server that adds nothing fails no rule by chance: ${kind}, 1, 3 and 8 % lost in bursts of ${burst}, 12 and 60 s`,
      both,
      () => {
        test.setTimeout(180_000);
        const cases = casesOf(kind, burst);
        const failed = new Map<string, number>();
        for (const [nth, one] of cases.entries()) {
          for (const [rule, count] of failuresOf(one, pairs, 1000 * index + 100 * burst + nth)) {
            failed.set(rule, (failed.get(rule) ?? 0) + count);
            // Three deviations above what is allowed on average.
            expect(count, `${rule}, ${JSON.stringify(one)}`).toBeLessThanOrEqual(
              mostFalse * pairs + 3 * Math.sqrt(mostFalse * pairs),
            );
          }
        }
        for (const [rule, count] of failed) {
          expect(count / (pairs * cases.length), rule).toBeLessThanOrEqual(mostFalse);
        }
      },
    );
  }
}

test('among a hundred streams chance fails none either: what is allowed for one would fail 2 % of trials', both, () => {
  const tries = times(1000, 10_000);
  const of = (among: number) =>
    failuresOf({ direction: 'receive', kind: 'audio', percent: 3, burst: 1, seconds: 12, among }, tries, 11);
  expect([...of(100).values()].reduce((sum, count) => sum + count, 0) / tries).toBeLessThanOrEqual(0.0002);
  const again = failuresOf(
    { direction: 'receive', kind: 'audio', percent: 3, burst: 1, seconds: 60, among: 100 },
    times(100, 400),
    12,
    3,
  );
  expect((again.get('audio-loss') ?? 0) / times(100, 400)).toBeGreaterThanOrEqual(0.8);
});

test(
  'a server that loses as much again as a link of 3 % does not pass a minute, in its baseline and after',
  both,
  () => {
    const tries = times(100, 400);
    for (const kind of ['audio', 'video'] as const) {
      for (const direction of ['send', 'receive'] as const) {
        const failed = failuresOf({ direction, kind, percent: 3, burst: 1, seconds: 60 }, tries, 7, 3);
        for (const rule of [`${kind}-loss`, `${kind}-loss, in the baseline`]) {
          expect((failed.get(rule) ?? 0) / tries, `${rule}, ${direction}`).toBeGreaterThanOrEqual(0.95);
        }
      }
    }
  },
);

test('losses in two states vary by their own correlation alone: those that no state changes are independent', () => {
  const spread = (loss: Loss) => pathSpread([{ there: { loss }, back: {} }]);
  const states = { kind: 'bursts', enterPercent: 1, leavePercent: 19 } as const;
  expect(spread(lossOf(3, 1))).toBe(1);
  expect(spread({ kind: 'random', percent: 3, correlationPercent: 50 })).toBeCloseTo(3);
  // ρ = 1 − 1 % − 19 %: (1 + 0.8) / (1 − 0.8).
  expect(spread({ ...states, lossInBadPercent: 100, lossInGoodPercent: 0 })).toBeCloseTo(9);
  expect(spread({ ...states, lossInBadPercent: 3, lossInGoodPercent: 3 })).toBe(1);
});
