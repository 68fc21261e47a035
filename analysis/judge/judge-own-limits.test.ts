import { expect, test } from '@playwright/test';
import { thresholdsSchema } from '../../model/plan.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import { withExpressions } from './thresholds/apply.js';
import { readExpression } from './thresholds/expression.js';

/** The verdict on these probes with the defaults and these limits. */
function verdictWith(texts: readonly string[], probes = calls(2), changes: Parameters<typeof aTrial>[1] = {}) {
  const expressions = texts.map((text) => {
    const read = readExpression(text);
    if (!read.ok) throw new Error(read.pointer);
    return read.expression;
  });
  return judge({ ...aTrial(probes, changes), thresholds: withExpressions(thresholdsSchema.parse({}), expressions) });
}

test('an own limit that a stream does not keep is unstable, and names probe, stream, value and limit', () => {
  const { kind, reasons, thresholds } = verdictWith(['received.video.bitrate >= 600 kbit/s']);
  expect(kind).toBe('unstable');
  expect(new Set(reasons.map(({ code, probe }) => `${code} ${probe}`))).toEqual(
    new Set(['threshold 1a', 'threshold 1b', 'threshold 2a', 'threshold 2b']),
  );
  expect(reasons[0]?.text).toMatch(
    /^1a received video from 1b with received\.video\.bitrate\.mean at \d+ kbit\/s \(limit 600 kbit\/s\)\.$/,
  );
  expect(thresholds.find(({ code }) => code === 'threshold')).toMatchObject({
    label: 'received.video.bitrate.mean',
    limitText: '≥ 600 kbit/s',
    passed: false,
  });
});

test('an own limit that every stream keeps is a row that passed', () => {
  const { kind, thresholds } = verdictWith(['received.video.bitrate >= 300 kbit/s', 'join.firstFrame.p50 <= 9s']);
  expect(kind).toBe('stable');
  const own = thresholds.filter(({ code }) => code === 'threshold');
  expect(own.map(({ label, passed }) => `${label} ${passed}`)).toEqual([
    'join.firstFrame.p50 true',
    'received.video.bitrate.mean true',
  ]);
});

test('a stricter median of the first frame fails the trial as a whole', () => {
  const { kind, reasons } = verdictWith(['p50(join.firstFrame) <= 1ms']);
  expect(kind).toBe('unstable');
  expect(reasons).toHaveLength(1);
  expect(reasons[0]?.text).toContain('join.firstFrame.p50 is');
});

test('a limit for a part of the streams replaces the named one there, and only there', () => {
  const slow = withProbes(calls(2), aProbe('1a').receivesVideo({ kbps: 350 }));
  expect(verdictWith([], slow).kind).toBe('unstable');
  expect(verdictWith(['video.bitrate >= 60% of baseline'], slow).kind).toBe('stable');
  expect(verdictWith(['sent.video.bitrate >= 60% of baseline'], slow).kind).toBe('unstable');
  expect(verdictWith(['audio.bitrate >= 60% of baseline'], slow).kind).toBe('unstable');
  const later = ['video.bitrate >= 60% of baseline', 'received.video.bitrate >= 90% of baseline'];
  expect(verdictWith(later, slow).kind).toBe('unstable');
});

test('an own limit on what could not be measured is void, never a pass', () => {
  const { kind, reasons } = verdictWith(['sent.video.target >= 100 kbit/s']);
  expect(kind).toBe('void');
  expect(reasons[0]).toMatchObject({ code: 'samples-missing', probe: '1a' });
  expect(reasons[0]?.text).toContain('"sent.video.target.mean" could not be measured');
});

test('bad probes up to the allowed number do not fail a trial, one more does', () => {
  const slow = withProbes(calls(2), aProbe('1a').receivesVideo({ kbps: 100 }));
  expect(verdictWith([], slow).kind).toBe('unstable');
  const { kind, reasons, thresholds } = verdictWith(['bad probes <= 1'], slow);
  expect({ kind, reasons }).toEqual({ kind: 'stable', reasons: [] });
  expect(thresholds.at(-1)).toMatchObject({ code: 'bad-probes', worst: 1, limit: 1, passed: true });
  expect(verdictWith(['bad probes <= 25%'], slow).kind).toBe('stable');
  expect(verdictWith(['bad probes <= 24%'], slow).kind).toBe('unstable');
  const two = withProbes(slow, aProbe('2b').receivesVideo({ kbps: 100 }));
  expect(verdictWith(['bad probes <= 1'], two).kind).toBe('unstable');
});

test('allowed bad probes do not excuse a void trial', () => {
  const { kind } = verdictWith(['bad probes <= 4'], calls(2), { asked: 5 });
  expect(kind).toBe('void');
});

test('a limit on what senders mark is judged where they do, skips full probes among them, and is void where nobody does', () => {
  const limit = ['received.video.delay.p95 <= 400ms'];
  const marked = (delayMs: number) => withProbes(calls(2), aProbe('1a').receivesVideo({ delayMs }));
  expect(verdictWith(limit, marked(20)).kind).toBe('stable');
  expect(verdictWith(limit, marked(450)).reasons.map(({ text }) => text)).toEqual([
    '1a received video from 1b with received.video.delay.p95 at 450 ms (limit 400 ms).',
  ]);
  const { kind, reasons } = verdictWith(limit);
  expect(kind).toBe('void');
  expect(reasons[0]?.code).toBe('samples-missing');
});

test('a limit on the likeness of pictures is judged of those who compare them, and is void where nobody does', () => {
  const seeing = (ssim: number) => withProbes(calls(2), aProbe('1a').receivesVideo({ ssim }));
  const limit = 'received.video.ssim.p5 >= 0.8';
  expect(verdictWith([limit], seeing(0.81)).kind).toBe('stable');
  const { kind, reasons } = verdictWith([limit], seeing(0.79));
  expect([kind, ...reasons.map(({ probe }) => probe)]).toEqual(['unstable', '1a']);
  expect(verdictWith([limit]).kind).toBe('void');
});

test('likeness as a share of the baseline is that of likeness, and not of bit rate', () => {
  const probes = withProbes(calls(2), aProbe('1a').receivesVideo({ ssim: 0.8 }));
  const { baseline } = aTrial(probes);
  const streams = Object.entries(baseline?.streams ?? {}).map(([key, entry]) => [key, { ...entry, ssim: 0.9 }]);
  const shared = (percent: number) =>
    verdictWith([`received.video.ssim >= ${percent}% of baseline`], probes, {
      baseline: { streams: Object.fromEntries(streams) },
    });
  expect(shared(88).kind).toBe('stable');
  expect(shared(89)).toMatchObject({ kind: 'unstable', reasons: [{ probe: '1a', unit: '%' }] });
  expect(shared(89).reasons[0]?.measured).toBeCloseTo((100 * 0.8) / 0.9, 9);
});
