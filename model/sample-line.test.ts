import { expect, test } from '@playwright/test';
import { aSample } from '../tests/stored-run.js';
import { lineOfSample, sampleAt, sampleOfLine, sampleOn } from './sample-line.js';

test('a sample is stored in the line in which its page told it, and in one of its own when it was changed', () => {
  const { atMs, ...behind } = aSample('1a', 5);
  const line = JSON.stringify({ atMs, ...behind }).replace('"lateMs":0', '"lateMs":0.0');
  const sample = sampleOfLine(line);
  expect(sample).toEqual(aSample('1a', 5));
  expect(lineOfSample(sample)).toBe(line);
  expect(lineOfSample({ ...sample, atMs: 7 })).toBe(JSON.stringify({ ...sample, atMs: 7 }));
  expect(lineOfSample(aSample('1b', 1))).toBe(JSON.stringify(aSample('1b', 1)));
});

test('a sample that gets a host or another time keeps its line but for these, and reads as it is', () => {
  const sample = sampleOfLine('{"atMs":5,"probe":"1\\"atMs\\":5","lateMs":0.10,"legs":[],"streams":[]}');
  const named = sampleOn('b"1', sample);
  expect(lineOfSample(named)).toBe(`{"host":"b\\"1",${lineOfSample(sample).slice(1)}`);
  const moved = sampleAt(-7.5, named);
  expect(lineOfSample(moved)).toContain('"lateMs":0.10');
  expect(JSON.parse(lineOfSample(moved))).toEqual(moved);
  expect(moved).toMatchObject({ host: 'b"1', atMs: -7.5 });
  // What a host has named and sent is told once more, by the conductor's clock.
  const heard = sampleAt(9, sampleOfLine(lineOfSample(moved)));
  expect([heard, JSON.parse(lineOfSample(heard))]).toEqual([
    { ...moved, atMs: 9 },
    { ...moved, atMs: 9 },
  ]);
});

for (const line of [
  '{"probe":"1a","atMs":5,"lateMs":0,"legs":[],"streams":[]}',
  '{"atMs":5e3,"probe":"1a","lateMs":0,"legs":[],"streams":[]}',
  '{"atMs":5,"probe":"1a","host":"c","lateMs":0,"legs":[],"atMs":7,"streams":[]}',
])
  test(`stored is what is judged, however its line is written: ${line}`, () => {
    const sample = sampleOfLine(line);
    for (const one of [sample, sampleOn('b', sample), sampleAt(6000, sample)])
      expect(JSON.parse(lineOfSample(one))).toEqual(one);
  });
