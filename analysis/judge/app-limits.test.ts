import { expect, test } from '@playwright/test';
import { mostAppValues } from '../../model/app-value.js';
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

const ofAll = (value: number, probes = ['1a', '1b', '2a', '2b'], of: 'mark' | 'metric' = 'metric') =>
  probes.map((probe) => told(of, probe, value));

function judged(limits: readonly string[], events: readonly TrialEvent[]) {
  const trial = aTrial(withProbes(calls(2), aProbe('1a')), { events });
  return judge({ ...trial, thresholds: withExpressions(trial.thresholds, limits.map(expressionOf)) });
}

test('a limit on what join scripts tell is over all who told it, and names the worst', () => {
  const events = [...ofAll(100, ['1a', '2a']), told('metric', '2b', 700), told('metric', '1b', 300)];
  const { kind, reasons, thresholds } = judged(['app.chat.max <= 500'], events);
  expect([kind, ...reasons.map(({ text }) => text)]).toEqual([
    'unstable',
    'app.chat.max is 700 over 4 participants (limit 500); the worst is of 2b.',
  ]);
  expect(thresholds.find(({ id }) => id.of === 'app')).toMatchObject({ worst: 700, worstProbe: '2b', passed: false });
  expect(judged(['app.chat.max <= 0.7s'], events)).toMatchObject({ kind: 'stable' });
  expect(judged(['app.chat.mean >= 300'], events)).toMatchObject({ kind: 'stable' });
  expect(judged(['app.chat.mean >= 400'], events)).toMatchObject({ kind: 'unstable' });
});

test('metrics count in the window alone, marks whenever they are told, and what nobody tells is not known', () => {
  const before = startMs - 5000;
  expect(judged(['app.chat.max <= 500'], [told('mark', '1a', 900, before)])).toMatchObject({ kind: 'unstable' });
  const early = [told('metric', '1a', 900, before), ...ofAll(400)];
  expect(judged(['app.chat.max <= 500'], early)).toMatchObject({ kind: 'stable' });
  const { kind, reasons } = judged(['app.chat.max <= 500'], [told('metric', '1a', 100, before)]);
  expect([kind, ...reasons.map(({ code, text }) => `${code}: ${text}`)]).toEqual([
    'void',
    'samples-missing: The join script told no "chat": a limit on it says nothing.',
  ]);
});

test('who is there and tells nothing is not passed over: the limit is not known to hold, unless it fails already', () => {
  const three = ofAll(100, ['1a', '1b', '2a']);
  for (const limit of ['app.chat.max <= 500', 'app.chat.p50 <= 500', 'app.chat.mean >= 50']) {
    const { kind, reasons, thresholds } = judged([limit], three);
    expect([kind, ...reasons.map(({ text }) => text)], limit).toEqual([
      'void',
      '2b told no "chat": a limit on it says nothing.',
    ]);
    expect(thresholds.find(({ id }) => id.of === 'app')).toMatchObject({
      worst: null,
      worstProbe: '2b',
      passed: false,
    });
  }
  expect(judged(['app.chat.max <= 50'], three)).toMatchObject({ kind: 'unstable' });
  expect(judged(['app.chat.max <= 500'], ofAll(100, ['1a', '1b', '2a'], 'mark'))).toMatchObject({ kind: 'void' });
  expect(judged(['app.chat.max <= 500'], ofAll(100))).toMatchObject({ kind: 'stable' });
});

test('each participant weighs the same, however often it was asked', () => {
  const often = Array.from({ length: 100 }, () => ofAll(100, ['1a', '1b', '2a'])).flat();
  const events = [...often, told('metric', '2b', 900)];
  expect(judged(['app.chat.p95 <= 500'], events)).toMatchObject({ kind: 'unstable' });
  expect(judged(['app.chat.p50 <= 100', 'app.chat.mean >= 300'], events)).toMatchObject({ kind: 'stable' });
});

test('of one that has told as many values as are kept, what came later is not known', () => {
  const most = Array.from({ length: mostAppValues }, () => told('metric', '1a', 100));
  const { kind, reasons } = judged(['app.chat.max <= 500'], [...most, ...ofAll(100, ['1b', '2a', '2b'])]);
  expect([kind, ...reasons.map(({ text }) => text)]).toEqual([
    'void',
    '1a told 2000 values, and of its later ones no "chat": a limit on it says nothing.',
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
