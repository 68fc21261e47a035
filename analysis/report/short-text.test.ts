import { expect, test } from '@playwright/test';
import { runStory, storyNames } from '../../tests/builders/run-stories.js';
import { junit } from './junit.js';
import { plainStyle } from './layout.js';
import { markdown } from './markdown.js';
import { shortSummary } from './short-text.js';
import { summary } from './text.js';
import { trialLine } from './trial-line.js';

const linesOf = (text: string) => text.replace(/^\n/, '').replace(/\n$/, '').split('\n');
const wordsOf = (text: string) => new Set(text.split(/\s+/));

for (const name of storyNames) {
  const run = runStory(name);

  test(`the short answer of "${name}" has fourteen lines at most, so that a report below it makes fifteen`, () => {
    for (const columns of [80, 100, 200])
      expect(linesOf(shortSummary(run, plainStyle, columns)).length).toBeLessThan(15);
    expect(linesOf(shortSummary(run, plainStyle, 40)).length).toBeLessThanOrEqual(28);
  });

  test(`no line of the short answer of "${name}" is wider than its terminal but for a path, and no word is broken`, () => {
    const whole = wordsOf(`${summary(run)} ${shortSummary(run, plainStyle, 200)}`);
    for (const columns of [40, 57, 80, 120, 200]) {
      const text = shortSummary(run, plainStyle, columns);
      expect(linesOf(text).filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
      expect([...wordsOf(text)].filter((word) => word !== '…' && !whole.has(word))).toEqual([]);
    }
  });

  test(`the short answer of "${name}" begins as the whole one, and says where the run is`, () => {
    const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
    const head = flat(summary(run)).slice(0, 60);
    expect(flat(shortSummary(run)).slice(0, 60)).toBe(head);
    expect(shortSummary(run)).toContain(run.runDirectory);
  });
}

test('what failed is said with its limit and its probe, and trust begins with warnings', () => {
  const text = shortSummary(runStory('found')).replace(/\s+/g, ' ');
  expect(text).toMatch(/Failed 4 calls, in 2 of 2 trials: .* at \d+[ab] \(limit: .*\)/);
  expect(text).toMatch(/ \d+ of \d+ probes? failed, by \d+ (different limits|limit)\./);
  expect(text).toContain('Trust ');
});

test('a picture without a frame is 0 fps and frozen all the time, in each form', () => {
  const run = runStory('baselineUnstable');
  for (const form of [summary, shortSummary, junit, markdown]) expect(form(run)).not.toContain('no value');
  expect(summary(run)).toMatch(/✗ frame rate as share of expected .* 0 % at 1b/);
  expect(summary(run)).toMatch(/✗ time frozen .* 100 % at 1b/);
  expect(junit(run)).toContain('message="100 % at 1b, limit ≤ 2 %"');
  expect(trialLine(run.records.at(-1) as (typeof run.records)[number])).toContain('fps_min=0 frozen_max=100%');
});

test('passes that confirm nothing are the first point of trust, whole in one line', () => {
  const { records, ...run } = runStory('found');
  const disturbedBy = [{ code: 'environment' as const, text: 'Other virtual machines took 11 % of the CPU.' }];
  const disturbed = records.map((record) =>
    record.verdict.kind === 'stable' ? { ...record, verdict: { ...record.verdict, disturbedBy } } : record,
  );
  const trust = linesOf(shortSummary({ ...run, records: disturbed })).find((line) => line.startsWith('  Trust'));
  expect(trust).toContain('5 passes confirm nothing: the probe side was disturbed');
});
