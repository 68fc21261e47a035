import { expect, test } from '@playwright/test';
import { short } from '../effort.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--measure', '12s', '--settle', '25s'];
/** Two passes instead of three: a trial takes three quarters of a minute. */
const search = ['find', 'one-to-one', '--confirm', '2'];
/** Small enough that the probes of the size above it leave a machine of two cores with room. */
const callsThatFit = 1.5;

test.describe('a media server whose up-link carries one and a half calls', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('is found to hold one, with the starving probes of two named, and nothing left behind', short, async () => {
    const egressBps = await egressOfOneCall(workshop);
    const limit = `${Math.round((egressBps * callsThatFit) / 1000)}kbit`;
    const ended = await workshop.start([...search, '--egress-limit', limit, ...windows]).ended;
    const result = ended.result();

    expect(result.limit, ended.stderr).toEqual({ stable: 1, unstable: 2, flaky: [] });
    expect(result.outcome).toBe('found');
    expect(ended.exitCode).toBe(0);
    expect(result.probesAtLimit).toBe(2);
    const failed = result.trials.filter((trial) => trial.size === 2 && trial.verdict === 'unstable');
    expect(failed.length).toBeGreaterThanOrEqual(2);
    for (const trial of failed) {
      const starving = trial.reasons.filter((reason) => /^[12][ab]$/.test(reason.probe ?? ''));
      expect(starving.length).toBeGreaterThan(0);
      expect(starving[0]?.text).toContain(starving[0]?.probe ?? 'a probe');
    }
    const stored = await ended.storedRun();
    expect(stored.records).toHaveLength(result.trials.length);
    expect(stored.warnings).toEqual([]);
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});

/** What one call alone makes the server send, bits per second over the measured window, headers included. */
async function egressOfOneCall(workshop: Workshop): Promise<number> {
  const ended = await workshop.start(['try', 'one-to-one', '--size', '1', ...windows]).ended;
  expect(ended.exitCode, ended.stderr).toBe(0);
  const run = await ended.storedRun();
  const window = run.records[0]?.window;
  if (window === undefined) throw new Error('the trial has no measured window');
  const { value: evidence } = await run.readEvidence(1);
  const inWindow = evidence.server.filter((reading) => reading.atMs > window.startMs && reading.atMs <= window.endMs);
  const bytes = inWindow.reduce((total, reading) => total + (reading.egressBytes ?? 0), 0);
  const bps = (bytes * 8000) / (window.endMs - window.startMs);
  // Two directions of about 500 kbit/s of video, 40 of audio, and headers.
  expect(bps).toBeGreaterThan(700_000);
  expect(bps).toBeLessThan(1_700_000);
  return bps;
}
