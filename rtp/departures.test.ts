import { expect, test } from '@playwright/test';
import { Departures } from './departures.js';

/**
 * What is estimated each second of a way that carries so much, when 500 kbit/s are sent. `startMs` is by the browser's
 * clock.
 */
function estimates(wayBps: number, seconds: number, startMs: number): readonly number[] {
  const departures = new Departures();
  const underWay: { readonly number: number; readonly arrivesAtMs: number }[] = [];
  let freeAtMs = 0;
  return Array.from({ length: seconds }, (_, second) => {
    for (let packet = 0; packet < 50; packet += 1) {
      const sentMs = 1000 * second + 20 * packet;
      departures.next(1250, sentMs);
      freeAtMs = Math.max(freeAtMs, sentMs) + (8 * 1250 * 1000) / wayBps;
      underWay.push({ number: (50 * second + packet) & 0xffff, arrivesAtMs: freeAtMs + 40 });
    }
    while ((underWay[0]?.arrivesAtMs ?? Number.POSITIVE_INFINITY) < 1000 * (second + 1)) {
      const { number = 0, arrivesAtMs = 0 } = underWay.shift() ?? {};
      const clockMs = startMs + arrivesAtMs;
      const reference = Math.floor(clockMs / 64);
      const arrivedMs = number % 20 === 0 ? [undefined] : [clockMs - 64 * reference];
      departures.onFeedback({ type: 'transport-feedback', base: number, reference: reference % 2 ** 24, arrivedMs });
    }
    return departures.after(1);
  });
}

test('a way that carries what is sent is not estimated, also where some is lost', () => {
  expect(estimates(2_000_000, 30, 5000)).toEqual(Array(30).fill(0));
});

test('a way that carries less is estimated to carry about that', () => {
  const later = estimates(300_000, 10, 5000).slice(3);
  for (const bps of later) expect(Math.abs(bps - 0.85 * 300_000)).toBeLessThan(40_000);
});

test("the browser's clock may begin anew: its reference has 24 bits", () => {
  expect(estimates(2_000_000, 30, 64 * 2 ** 24 - 10_000)).toEqual(Array(30).fill(0));
});

test('feedback of what was never sent changes nothing', () => {
  const departures = new Departures();
  departures.onFeedback({ type: 'transport-feedback', base: 9, reference: 1, arrivedMs: [1, 2, undefined] });
  expect(departures.after(1)).toBe(0);
});
