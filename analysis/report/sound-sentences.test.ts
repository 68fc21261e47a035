import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { soundSentences } from './sound-sentences.js';

/** A call of whose sound 1a misses some seconds, with this loss told. */
function told(seconds: number, lossPercent: number, isNative = false): string {
  const isOut = (second: number) => second >= 20 && second < 20 + seconds;
  const concealed = (second: number) => (isOut(second) ? 100 : 0);
  const began = (second: number) => (second === 20 ? 1 : 0);
  const silent = aProbe('1a').receivesAudio({ concealedPercent: concealed, concealmentEvents: began, lossPercent });
  const record = aRecord([silent, ...calls(1).slice(1)], { index: 1, size: 1 });
  const probes = record.probes.map((probe) => ({ ...probe, ...(isNative ? { native: true as const } : {}) }));
  return soundSentences(aRun([{ ...record, probes }], { outcome: 'found', stable: 1 })).join(' ');
}

test('an outage of sound that a browser counts no loss of is told, and none of which the loss or a native probe tells', () => {
  expect(told(3, 0)).toMatch(
    /^Warning: browsers count no loss .* 1 received sound .* of 1a in trial 1, 3 s, .* 0 %\.$/,
  );
  expect(told(1, 0)).toBe('');
  expect(told(3, 6)).toBe('');
  expect(told(3, 0, true)).toBe('');
});
