import { expect, test } from '@playwright/test';
import { ResentLimit } from './resent-limit.js';

test('what is sent again in a second is at most the rate', () => {
  const resent = new ResentLimit();
  expect(resent.allows(80_000, 0)).toBe(true);
  resent.note(2_500, 100);
  expect(resent.allows(80_000, 100)).toBe(true);
  resent.note(7_500, 600);
  expect([resent.allows(80_000, 600), resent.allows(90_000, 600)]).toEqual([false, true]);
  // The first ones are more than a second ago.
  expect([resent.allows(80_000, 1_100), resent.allows(80_000, 1_101)]).toEqual([false, true]);
});
