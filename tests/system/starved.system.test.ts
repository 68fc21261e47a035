import { expect, test } from '@playwright/test';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { openWorkshop, type Workshop } from './running-tool.js';
import { starveChromium, whyNotStarved } from './starved-browsers.js';

const oneCall = ['try', 'one-to-one', '--size', '1', '--measure', '10s', '--settle', '6s', '--no-warm-up'];

test.describe('who was starved is told apart', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('browsers held to a fifth of a core make the trial void, and the quota is in the evidence', async () => {
    const obstacle = await whyNotStarved();
    test.skip(obstacle !== undefined, obstacle);
    const chromium = await findChromium({ env: process.env });
    test.skip(chromium === undefined, 'no Chromium was found');
    const starved = await starveChromium(chromium?.path ?? '', 0.2, workshop.temporaryFolder);
    const ended = await workshop.start([...oneCall, '--chromium', starved.path]).ended;
    await starved.release();
    const run = await ended.storedRun();
    expect(run.records.length, ended.stderr).toBeGreaterThan(0);
    for (const { verdict } of run.records) {
      expect(verdict.kind).toBe('void');
      expect(verdict.reasons.map(({ code }) => code)).toContain('probe-cpu');
    }
    const { value } = await run.readEvidence(1);
    const throttled = value.probeHost.filter(({ throttledShare }) => (throttledShare ?? 0) > 0.1);
    expect(throttled.length).toBeGreaterThan(value.probeHost.length / 2);
  });

  test('a server held to half of what a call needs makes the trial unstable', async () => {
    const ended = await workshop.start([...oneCall, '--egress-limit', '500kbit']).endedOnceDecided();
    const { records } = await ended.storedRun();
    // A trial that is void is repeated, and the one that is interrupted in the end is void.
    expect(records.find(({ verdict }) => verdict.kind !== 'void')?.verdict.kind, ended.stderr).toBe('unstable');
  });
});
