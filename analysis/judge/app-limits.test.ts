import { expect, test } from '@playwright/test';
import type { TrialEvent } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import { withExpressions } from './thresholds/apply.js';
import { readExpression } from './thresholds/expression.js';

function expressionOf(text: string) {
  const read = readExpression(text);
  if (!read.ok) throw new Error(read.pointer);
  return read.expression;
}

const told = (of: 'mark' | 'metric', probe: string, value: number, atMs = startMs + 2000): TrialEvent => ({
  type: 'app-value',
  name: 'chat',
  ...{ atMs, of, probe, value },
});

function judged(limits: readonly string[], events: readonly TrialEvent[]) {
  const trial = aTrial(withProbes(calls(2), aProbe('1a')), { events });
  return judge({ ...trial, thresholds: withExpressions(trial.thresholds, limits.map(expressionOf)) });
}

test('a limit on what join scripts tell is over all who told it, and names the worst', () => {
  const events = [told('metric', '1a', 100), told('metric', '2b', 700), told('metric', '1b', 200)];
  const { kind, reasons, thresholds } = judged(['app.chat.max <= 500'], events);
  expect([kind, ...reasons.map(({ text }) => text)]).toEqual([
    'unstable',
    'app.chat.max is 700 over 3 values (limit 500); the worst is of 2b.',
  ]);
  expect(thresholds.find(({ id }) => id.of === 'app')).toMatchObject({ worst: 700, worstProbe: '2b', passed: false });
  expect(judged(['app.chat.max <= 0.7s'], events)).toMatchObject({ kind: 'stable' });
  expect(judged(['app.chat.mean >= 300'], events)).toMatchObject({ kind: 'stable' });
  expect(judged(['app.chat.mean >= 400'], events)).toMatchObject({ kind: 'unstable' });
});

test('metrics count in the window alone, marks whenever they are told, and what nobody tells is not known', () => {
  const before = startMs - 5000;
  expect(judged(['app.chat.max <= 500'], [told('mark', '1a', 900, before)])).toMatchObject({ kind: 'unstable' });
  const early = [told('metric', '1a', 900, before), told('metric', '1a', 400)];
  expect(judged(['app.chat.max <= 500'], early)).toMatchObject({ kind: 'stable' });
  const { kind, reasons } = judged(['app.chat.max <= 500'], [told('metric', '1a', 100, before)]);
  expect([kind, ...reasons.map(({ code, text }) => `${code}: ${text}`)]).toEqual([
    'void',
    'samples-missing: The join script told no "chat": a limit on it says nothing.',
  ]);
});

test('of several limits on the same value the last counts, and a bound from below is on the mean', () => {
  const thresholds = withExpressions(aTrial(calls(1)).thresholds, [
    ...['app.chat <= 500', 'app.chat.p95 <= 1s', 'mean(app.chat) <= 300'].map(expressionOf),
  ]);
  expect(thresholds.also?.map(({ text }) => text)).toEqual(['app.chat.p95 <= 1s', 'app.chat.mean <= 300']);
  for (const wrong of ['app.chat.p95 >= 3', 'app.chat.worst <= 3', 'app <= 3', 'app.chat.p95.max <= 3'])
    expect(readExpression(wrong).ok, wrong).toBe(false);
});
