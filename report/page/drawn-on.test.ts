import { expect, test } from '@playwright/test';
import { drawnOn } from './drawn-on.js';

test('between two readings the last is drawn on, and what was not read for two steps is a gap', () => {
  const server = { atS: [0, 1, 2, 12, 13], values: [3, 3, 3.9, 1, 1] };
  const host = { atS: [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], values: [7, 7, 7, null, 7, 7] };
  const { times, lines } = drawnOn([server, host]);
  const at = (second: number) => lines.map((line) => line[times.indexOf(second)]);
  expect(at(1.5)).toEqual([3, 7]);
  expect(at(3.5)).toEqual([3.9, null]);
  expect(at(4.5)).toEqual([null, 7]);
  expect(at(12)).toEqual([1, null]);
});

test('a line breaks in a gap though no other curve has a time there', () => {
  expect(drawnOn([{ atS: [0, 1, 2, 30, 31], values: [1, 1, 1, 9, 9] }])).toEqual({
    times: [0, 1, 2, 4, 30, 31],
    lines: [[1, 1, 1, null, 9, 9]],
  });
});
