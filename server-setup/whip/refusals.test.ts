import { expect, test } from '@playwright/test';
import { retryAfterOf } from './refusals.js';

test('Retry-After is read in seconds and as a date, and what is neither says nothing', () => {
  const nowMs = Date.UTC(2026, 10, 21, 8, 49, 37);
  for (const [text, ms] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 08:49:40 GMT', 3000],
    ['Sat, 21 Nov 2026 08:49:30 GMT', 0],
    ['soon', undefined],
    ['-5 s', undefined],
    [null, undefined],
  ] as const) {
    expect(retryAfterOf(text, nowMs), String(text)).toBe(ms);
  }
});
