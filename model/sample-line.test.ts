import { expect, test } from '@playwright/test';
import { aSample } from '../tests/stored-run.js';
import { lineOfSample, sampleOfLine } from './sample-line.js';

test('a sample is stored in the line in which its page told it, and in one of its own when it was changed', () => {
  const line = JSON.stringify(aSample('1a', 5)).replace('"atMs":5', '"atMs": 5');
  const sample = sampleOfLine(line);
  expect(sample).toEqual(aSample('1a', 5));
  expect(lineOfSample(sample)).toBe(line);
  expect(lineOfSample({ ...sample, atMs: 7 })).toBe(JSON.stringify(aSample('1a', 7)));
  expect(lineOfSample(aSample('1b', 1))).toBe(JSON.stringify(aSample('1b', 1)));
});
