import { expect, test } from '@playwright/test';
import { missingRows } from './missing-rows.js';

const page = 'Words.\n\n| a | b |\n|---|--:|\n| x |  1 |\n| y | 2.5 |\n';

test('a row that a bench prints must stand in its page, cell for cell, however the page lines cells up', () => {
  expect(missingRows('head\n|a|b|\n|---|---|\n| x | 1 |\n|y|2.5|\n', page)).toEqual({ rows: 3, missing: [] });
  expect(missingRows('| a | b |\n| x | 1.1 |\n', page)).toEqual({ rows: 2, missing: ['|x|1.1|'] });
});

test('a bench that prints no table has no rows, which is no success', () => {
  expect(missingRows('nothing', page)).toEqual({ rows: 0, missing: [] });
});
