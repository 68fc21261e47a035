import { expect, test } from '@playwright/test';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

const judgedWith = (...probes: readonly ProbeBuilder[]) => judge(aTrial(withProbes(calls(3), ...probes)));
const encoded = (replacedFps?: number | null | ((second: number) => number | null)) => {
  const probe = aProbe('1a').isEncoded();
  return replacedFps === undefined ? probe : probe.sendsVideo({ replacedFps });
};
const starving = aProbe('2b').receivesVideo({ kbps: 200, fps: 12 });

test('an encoded probe whose frames were replaced is judged as any other', () => {
  expect(judgedWith(encoded(30)).kind).toBe('stable');
  expect(judgedWith(encoded(30), starving).kind).toBe('unstable');
});

test('frames that were not replaced make a trial void, clean or not: the load was not there', () => {
  const most = encoded((second) => (second % 10 === 0 ? 15 : 30));
  expect(judgedWith(most).kind).toBe('stable');
  for (const verdict of [judgedWith(encoded(28)), judgedWith(encoded(28), starving)]) {
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: true });
    expect(verdict.reasons).toMatchObject([{ code: 'frames-not-replaced', probe: '1a', limit: 95, unit: '%' }]);
    expect(verdict.reasons[0]?.text).toBe(
      "Only 93.3 % of the frames that 1a sent were replaced by the encoded clip's in order (limit 95 %).",
    );
  }
});

test('an encoded probe whose page does not tell is void, never stable', () => {
  for (const probe of [encoded(), encoded((second) => (second < 50 ? 30 : null))]) {
    const verdict = judgedWith(probe);
    expect(verdict.kind).toBe('void');
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['frames-not-replaced']);
  }
});

test('a full probe needs no such figure', () => {
  expect(judgedWith(aProbe('1a')).kind).toBe('stable');
});
