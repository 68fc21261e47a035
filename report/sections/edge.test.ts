import { expect, test } from '@playwright/test';
import { aRun } from '../../tests/builders/run-builder.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { edgeFigure } from './edge.js';

test('an edge over several sizes is drawn with the share of stable trials at each, and a sharp one is not', () => {
  const { records } = runStory('flaky');
  const answer = { outcome: 'found', stable: 3, unstable: 5, flaky: [4] } as const;
  const x = { from: 0, to: 6, ticks: [], label: '' };
  expect(edgeFigure(aRun(records, answer), x).text).toBe('');
  const edge = { alwaysUpTo: 3, between: { from: 4, upTo: 4, passed: 1, of: 2 }, neverFrom: 5 };
  const drawn = edgeFigure(aRun(records, { ...answer, edge }), x).text;
  expect(drawn).toContain('4: 1 of 2');
  expect(drawn).toMatch(/4 calls: stable in 1 of 2, truly in \d+ to \d+ %/);
});
