import { expect, test } from '@playwright/test';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { marksOf } from './release-marks.js';

/** A server that takes 10 MB and 0.01 cores for a session, and gives no memory back. */
function searched(...sizes: readonly (readonly [size: number, kind: 'stable' | 'unstable'])[]) {
  const records = sizes.map(([size, kind], nth) => {
    const most = Math.max(...sizes.slice(0, nth + 1).map(([one]) => one));
    const load = { samplesExpected: 1, samplesGot: 1, serverCoresMean: size / 100, serverRssMbMax: 100 + 10 * most };
    return aRecord(nth + 1, { size, verdict: { kind, reasons: [], thresholds: [] }, load });
  });
  return marksOf(aRun(records, { outcome: 'found', stable: 24, unstable: 32 }));
}

test('memory of a session is not of what a larger trial before it had left behind', () => {
  const { cores, memory } = searched([1, 'stable'], [16, 'stable'], [32, 'unstable'], [24, 'stable']);
  expect(cores).toBeCloseTo(0.01, 9);
  expect(memory).toBeCloseTo(10, 9);
  expect(searched([1, 'stable'], [32, 'unstable'], [24, 'stable'])).not.toHaveProperty('memory');
});
