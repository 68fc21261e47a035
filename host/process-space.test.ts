import { expect, test } from '@playwright/test';
import { markOf, processSpace } from './process-space.js';

test('namespaces that are made one after another have other marks, of three letters or digits each', () => {
  const first = 4_026_531_836;
  const marks = Array.from({ length: 500 }, (_, nth) => markOf(first + nth));
  expect(new Set(marks).size).toBe(500);
  expect([processSpace, ...marks].filter((mark) => !/^[0-9a-z]{3}$/.test(mark))).toEqual([]);
  expect(markOf(0)).toBe('000');
});
