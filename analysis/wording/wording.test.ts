import { expect, test } from '@playwright/test';
import { figure } from '../../report/page/words.js';
import { numberNear } from './wording.js';

test('a figure never reads like its limit or like the other side of it, whatever it is rounded to', () => {
  const pairs = [
    [1.004, 1],
    [150.45, 150.3],
    [150.2, 150.3],
    [12.54, 12.52],
    [400, 400],
    [0.0312, 0.031],
  ] as const;
  for (const [value, limit] of pairs)
    for (const text of [numberNear(value, limit), figure(value, '', limit)])
      expect(Math.sign(Number(text) - limit), `${value} beside ${limit}: ${text}`).toBe(Math.sign(value - limit));
});
