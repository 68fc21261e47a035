import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import type { ReceivedVideo } from '../../tests/builders/streams.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { worstText } from '../wording/quantity.js';
import { judge } from './judge.js';

const judged = (video: ReceivedVideo) => judge(aTrial(withProbes(calls(1), aProbe('1a').receivesVideo(video))));
const rowOf = (video: ReceivedVideo, code = 'video-loss') =>
  judged(video).thresholds.find((threshold) => threshold.code === code);
/** 500 kbit/s in packets of 1,100 bytes are 57 a second; so many are missing. */
const lostPerSecond = (percent: number) => (500_000 / 8 / 1100) * (percent / (100 - percent));

test('loss that padding may hide is not known: 5 % unrepaired loss and 4 packets of padding a second', () => {
  const { kind } = judged({ lossPercent: 5, resent: 4 });
  const row = rowOf({ lossPercent: 5, resent: 4 });
  expect(kind).toBe('stable');
  expect(row).toMatchObject({ worst: 0, passed: true });
  expect(row?.upTo).toBeCloseTo(5, 6);
  expect(row && worstText(row)).toBe('not known, 0 to 5 %');
  expect(rowOf({ lossPercent: 9, resent: 7 }, 'video-loss-burst')).toMatchObject({ worst: 0 });
  expect(rowOf({ lossPercent: 9, resent: 7 }, 'video-loss-burst')?.upTo).toBeCloseTo(9, 6);
});

test('where loss is not known, frames decide', () => {
  expect(judged({ lossPercent: 5, resent: 4, fps: 20 }).kind).toBe('unstable');
  expect(judged({ lossPercent: 5, resent: 4, freezeMs: 40 }).kind).toBe('unstable');
});

test('padding is seen by three signs: more than was lost, nothing asked for, nothing in it', () => {
  const upTo = (video: ReceivedVideo) => rowOf({ lossPercent: 5, ...video })?.upTo;
  const repaired = { resent: 3, nacks: 3, resentKbps: 3 * 9 };
  expect(upTo(repaired)).toBeUndefined();
  expect(upTo({ ...repaired, resent: 5, nacks: 1 })).toBeCloseTo(5, 6);
  expect(upTo({ ...repaired, nacks: 0 })).toBeCloseTo(5, 6);
  expect(upTo({ ...repaired, resentKbps: 0 })).toBeCloseTo(5, 6);
  // What was asked for twice comes twice.
  expect(upTo({ ...repaired, resent: 5, nacks: 6 })).toBeUndefined();
});

test('a repair of what was lost before the window is no padding', () => {
  expect(
    rowOf({ lossPercent: (second) => (second === 20 ? 60 : 0), resent: (second) => (second === 0 ? 9 : 0) })?.upTo,
  ).toBe(undefined);
});

test('bitrate is of media: at 60 % of the baseline with copies on the SSRC for resending it fails', () => {
  expect(judged({ kbps: 475, resent: 20, resentKbps: 175 })).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'low-bitrate', text: expect.stringContaining('300 kbit/s, 60 %') }],
  });
});

test('padding that is a tenth more than what was lost is found, and repairs are never called padding', both, () => {
  const random = randomFrom(4588);
  let [wrong, missed] = [0, 0];
  for (let round = 0; round < times(40, 400); round += 1) {
    const lossPercent = 1.5 + 8 * random();
    const lost = lostPerSecond(lossPercent);
    const noise = Array.from({ length: 61 }, () => 0.5 + random());
    const perSecond = (second: number) => (100 * lost * (noise[second] ?? 1)) / (57 + lost * (noise[second] ?? 1));
    // What a second lost comes in it or in the next one.
    const late = random();
    const repaired = (second: number) => {
      const of = (one: number) => (one < 0 ? 0 : lostPerSecond(perSecond(one)));
      return (1 - late) * of(second) + late * of(second - 1);
    };
    const asked = { nacks: repaired, resentKbps: (second: number) => 9 * repaired(second) };
    if (rowOf({ lossPercent: perSecond, resent: repaired, ...asked })?.upTo !== undefined) wrong += 1;
    const strength = random();
    const padding = strength * 57;
    // As many as were lost, each asked for, are the same to a receiver as their repairs.
    if (strength < 0.05 || padding < 1.1 * lost) continue;
    const hidden = rowOf({ lossPercent: perSecond, resent: padding, nacks: lost, resentKbps: 9 * padding });
    if (hidden?.passed && hidden.upTo === undefined) missed += 1;
  }
  expect([wrong, missed]).toEqual([0, 0]);
});
