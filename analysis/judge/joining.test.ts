import { expect, test } from '@playwright/test';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { decisiveJoining } from './early-verdict.js';
import { judge } from './judge.js';
import { withExpressions } from './thresholds/apply.js';
import { readExpression } from './thresholds/expression.js';

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

test("an answer that no browser can apply is the server's: the trial is unstable, not void, in the words of the browser", () => {
  const said = "OperationError: Failed to execute 'setRemoteDescription': the order of m-lines does not match";
  const failing = withProbes(calls(3), aProbe('3a').fails('signalling-unusable', said));
  expect(judge(aTrial(failing))).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'join-failed', probe: '3a', text: `3a could not use what the server sent: ${said}.` }],
  });
});

test('it is something noticed and no refusal: a full probe host makes it void, as it does a join that takes too long', () => {
  const failing = withProbes(calls(3), aProbe('3a').fails('signalling-unusable', 'no SDP'));
  const full = () => ({ busyCores: 4, probeCores: 3.6 });
  expect(judge(aTrial(failing, { host: full }))).toMatchObject({ kind: 'void', reasons: [{ code: 'probe-cpu' }] });
});

test('a trial in which half of the probes cannot use their answers is not measured at all', () => {
  const dead = ['1a', '1b', '2a'].map((id) => aProbe(id).fails('signalling-unusable', 'no SDP'));
  const phases = ['join', 'settle'] as const;
  const events = phases.map((phase, index) => ({ type: 'phase', atMs: startMs + 5000 * index, phase }) as const);
  expect(decisiveJoining(aTrial(withProbes(calls(3), ...dead), { events }))).toBeDefined();
  const ours = ['1a', '1b', '2a'].map((id) => aProbe(id).fails('page-error', 'no offer'));
  expect(decisiveJoining(aTrial(withProbes(calls(3), ...ours), { events }))).toBeUndefined();
});

test('joined faster than the plan asks, a failure to join alone says nothing', () => {
  const late = aTrial(withProbes(calls(3), waiting(12_100, 7000)));
  expect(judge({ ...late, hurried: true })).toMatchObject({
    kind: 'void',
    probesExhausted: false,
    reasons: [{ code: 'hurried' }],
  });
  const lossy = aTrial(withProbes(calls(3), waiting(12_100, 7000), aProbe('2a').receivesVideo({ lossPercent: 12 })));
  expect(judge({ ...lossy, hurried: true }).kind).toBe('unstable');
  expect(judge({ ...aTrial(calls(3)), hurried: true }).kind).toBe('stable');
});
