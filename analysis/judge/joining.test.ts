import { expect, test } from '@playwright/test';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from '../judge.js';
import { withExpressions } from '../thresholds/apply.js';
import { readExpression } from '../thresholds/expression.js';

const times = { answerMs: 50, iceConnectedMs: 200, dtlsConnectedMs: 300 };
const waiting = (firstFrameMs: number, sourcesStartedMs?: number) =>
  aProbe('3a').joined({ ...times, firstFrameMs, ...(sourcesStartedMs === undefined ? {} : { sourcesStartedMs }) });

test('the wait for a first frame begins when the last source has started, or with the own start if that is later', () => {
  expect(firstFrameWaitMs({ firstFrameMs: 800 })).toBe(800);
  expect(firstFrameWaitMs({ firstFrameMs: 5800, sourcesStartedMs: 5000 })).toBe(800);
  expect(firstFrameWaitMs({ firstFrameMs: 400, sourcesStartedMs: 500 })).toBe(0);
  expect(firstFrameWaitMs({ sourcesStartedMs: 500 })).toBeUndefined();
});

test('a first frame five seconds after its source had started is in time, however long the source was awaited', () => {
  const inTime = judge(aTrial(withProbes(calls(3), waiting(12_000, 7000))));
  expect(inTime.kind).toBe('stable');
  expect(inTime.thresholds.find(({ code }) => code === 'first-frame-late')).toMatchObject({ worst: 5000 });
  const late = judge(aTrial(withProbes(calls(3), waiting(12_100, 7000))));
  expect(late).toMatchObject({ kind: 'unstable', reasons: [{ code: 'first-frame-late', measured: 5100 }] });
});

test("a plan's own limit on the first frame counts from the same moment", () => {
  const trial = aTrial(withProbes(calls(3), waiting(3900, 3000)));
  const row = (limit: string) => {
    const read = readExpression(limit);
    if (!read.ok) throw new Error(read.pointer);
    const { thresholds } = judge({ ...trial, thresholds: withExpressions(trial.thresholds, [read.expression]) });
    return thresholds.find(({ label }) => label.startsWith('join.firstFrame'));
  };
  expect(row('join.firstFrame.max <= 900ms')).toMatchObject({ label: 'join.firstFrame.max', worst: 900, passed: true });
  expect(row('join.firstFrame.max <= 899ms')).toMatchObject({ worst: 900, passed: false });
});
