import { expect, test } from '@playwright/test';
import { seenText } from './seen-lines.js';

const seen = (participant: string, more: object = {}) => {
  const visitor = { session: '1', participant, role: 'member', index: 0 };
  return { visitor, connections: [], intervalMs: 1000, unspared: [], ...more };
};

test('who had not come to rest is named below what each of a room had', () => {
  expect(seenText([seen('1a'), seen('1b')])).not.toContain('!');
  const text = seenText([seen('1a', { stillChanges: true }), seen('1b'), seen('1c', { stillChanges: true })]);
  expect(text).toMatch(/\n {2}! .* 1a and 1c .*\n$/);
});
