import { expect, test } from '@playwright/test';
import type { ReceiveStreamSample } from '../../model/sample.js';
import { SeatedFold } from './seated-fold.js';

type Metrics = ReceiveStreamSample['metrics'];

/** A minute of a stream that has come up. */
function seated(kind: 'audio' | 'video', metrics: (second: number) => Metrics) {
  const fold = new SeatedFold(kind);
  for (let second = -3; second < 60; second += 1) {
    const stream = { leg: '1a', direction: 'receive', kind, metrics: metrics(second) } as const;
    fold.add({ atMs: 1000 * (second + 1), intervalMs: 1000, stream });
  }
  return fold.values();
}

const whole: Metrics = { packetsReceived: 50, packetsLost: 0 };
const played: Metrics = { ...whole, totalSamples: 48_000, concealedSamples: 0 };

test('a second without packets counts once, made up in full or told as lost with the packet after it', () => {
  const silent: Metrics = { ...played, packetsReceived: 0, concealedSamples: 48_000 };
  const browser = seated('audio', (second) => (second === 30 ? silent : played));
  expect(browser.seatedGapMs).toBeCloseTo(1000, 6);
  expect(browser.seatedGapPercent).toBeCloseTo(100 / 60, 6);
  const told = seated('audio', (second) =>
    second === 30 ? { ...whole, packetsReceived: 0 } : second === 31 ? { ...whole, packetsLost: 50 } : whole,
  );
  expect(told.seatedGapMs).toBeCloseTo(1000, 6);
  expect(told.seatedLossPercent).toBeCloseTo(100 / 60, 6);
});

test('what is made up or lost in seconds with packets counts beside those without', () => {
  const silent: Metrics = { ...played, packetsReceived: 0, concealedSamples: 48_000 };
  const rough: Metrics = { ...played, concealedSamples: 4800 };
  const { seatedGapMs } = seated('audio', (second) => (second === 30 ? silent : second < 10 ? rough : played));
  expect(seatedGapMs).toBeCloseTo(2000, 6);
  const lossy: Metrics = { packetsReceived: 45, packetsLost: 5 };
  expect(seated('audio', (second) => (second < 10 ? lossy : whole)).seatedGapMs).toBeCloseTo(1000, 6);
});

test('padding where packets are sent again hides no loss of other seconds', () => {
  const padded = { packetsReceived: 140, packetsLost: 0, resentPacketsReceived: 40, framesDecoded: 30 };
  const lossy = { packetsReceived: 80, packetsLost: 20, resentPacketsReceived: 0, framesDecoded: 30 };
  const { seatedLossPercent } = seated('video', (second) =>
    second >= 50 ? lossy : second < 40 ? padded : { ...lossy, packetsReceived: 100, packetsLost: 0 },
  );
  expect(seatedLossPercent).toBeCloseTo((100 * 200) / 6000, 0);
});

test('loss after repair is a share of all that was due: of 1000 packets 100 lost and 50 repaired it is 5 %', () => {
  const second = { packetsReceived: 95, packetsLost: 10, resentPacketsReceived: 5, framesDecoded: 30 };
  expect(seated('video', () => second).seatedLossPercent).toBeCloseTo(5, 9);
});
