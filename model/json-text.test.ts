import { expect, test } from '@playwright/test';
import { isNestedDeeperThan } from './json-text.js';

test('only brackets that nest count, and none inside of strings', () => {
  expect(isNestedDeeperThan('[[[]]]', 3)).toBe(false);
  expect(isNestedDeeperThan('[[[]]]', 2)).toBe(true);
  expect(isNestedDeeperThan('[[],[],[],{}]', 2)).toBe(false);
  expect(isNestedDeeperThan(String.raw`{"a":"[[[[\"[[[[\\"}`, 1)).toBe(false);
  expect(isNestedDeeperThan('[{'.repeat(1_000_000), 64)).toBe(true);
});
