import { expect, test } from '@playwright/test';
import { aSample } from '../tests/stored-run.js';
import { lineOfSample, sampleAt, sampleOfLine, sampleOn } from './sample-line.js';

test('a sample is stored in the line in which its page told it, and in one of its own when it was changed', () => {
  const line = JSON.stringify(aSample('1a', 5)).replace('"atMs":5', '"atMs": 5');
  const sample = sampleOfLine(line);
  expect(sample).toEqual(aSample('1a', 5));
  expect(lineOfSample(sample)).toBe(line);
  expect(lineOfSample({ ...sample, atMs: 7 })).toBe(JSON.stringify(aSample('1a', 7)));
  expect(lineOfSample(aSample('1b', 1))).toBe(JSON.stringify(aSample('1b', 1)));
});

test('a sample that gets a host or another time keeps its line but for these, and reads as it is', () => {
  const sample = sampleOfLine('{"probe":"1\\"atMs\\":5","atMs": 5,"atMs":5,"lateMs":0.10,"legs":[],"streams":[]}');
  const named = sampleOn('b"1', sample);
  expect(lineOfSample(named)).toBe(`{"host":"b\\"1",${lineOfSample(sample).slice(1)}`);
  const moved = sampleAt(-7.5, named);
  expect(lineOfSample(moved)).toContain('"lateMs":0.10');
  expect(JSON.parse(lineOfSample(moved))).toEqual(moved);
  expect(moved).toMatchObject({ host: 'b"1', atMs: -7.5 });
});

test('a sample whose time is written in another way is made into text anew', () => {
  const sample = sampleOfLine('{"probe":"1a","atMs":5e3,"lateMs":0,"legs":[],"streams":[]}');
  expect(JSON.parse(lineOfSample(sampleAt(6000, sample)))).toEqual({ ...sample, atMs: 6000 });
  expect(lineOfSample(sampleOn('b', { ...sample, host: 'a' }))).toContain('"host":"a"');
});
