import { expect, test } from '@playwright/test';
import { WayEstimate } from './way-estimate.js';

const clockRate = 90_000;

/** Frames of 30 a second over a link of `linkBps` whose sender sends what it was told, and no more than 500 kbit/s. */
function drive(linkBps: number, seconds: number, delayMs: (frame: number) => number = () => 40): number[] {
  const estimate = new WayEstimate(clockRate);
  const told: number[] = [];
  let freeAtMs = 0;
  let bps = 500_000;
  for (let second = 0; second < seconds; second += 1) {
    let received = 0;
    for (let frame = 0; frame < 30; frame += 1) {
      const sentMs = 1000 * second + (1000 / 30) * frame;
      const bits = bps / 30;
      freeAtMs = Math.max(freeAtMs, sentMs) + (1000 * bits) / linkBps;
      received += bits;
      estimate.note(Math.round((sentMs * clockRate) / 1000), freeAtMs + delayMs(30 * second + frame));
    }
    const next = estimate.after(1, Math.min(received, linkBps));
    told.push(next);
    bps = Math.min(500_000, next);
  }
  return told;
}

test('a link that carries what is sent holds nothing back', () => {
  expect(drive(2_000_000, 60).every((bps) => bps === Number.POSITIVE_INFINITY)).toBe(true);
});

test('jitter is no queue', () => {
  expect(drive(2_000_000, 60, (frame) => 40 + ((frame * 7919) % 100)).at(-1)).toBe(Number.POSITIVE_INFINITY);
});

test('a link of 400 kbit/s is filled and not overrun', () => {
  const later = drive(400_000, 120)
    .slice(20)
    .map((bps) => Math.min(bps, 500_000));
  expect(Math.min(...later)).toBeGreaterThan(280_000);
  const mean = later.reduce((sum, bps) => sum + bps, 0) / later.length;
  expect(mean).toBeGreaterThan(340_000);
  expect(mean).toBeLessThan(410_000);
});

test('a stream of a day waits no more than one of a minute, however often its timestamps went around', () => {
  const estimate = new WayEstimate(clockRate);
  let least = Number.POSITIVE_INFINITY;
  for (let second = 0; second < 86_400; second += 1) {
    estimate.note((second * clockRate) >>> 0, 1000 * second);
    least = Math.min(least, estimate.after(1, 500_000));
  }
  expect(least).toBe(Number.POSITIVE_INFINITY);
});

test('a second without packets changes nothing', () => {
  const estimate = new WayEstimate(clockRate);
  expect(estimate.after(1, 0)).toBe(Number.POSITIVE_INFINITY);
});
