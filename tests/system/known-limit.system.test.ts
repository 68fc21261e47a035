import { expect, test } from '@playwright/test';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { short } from '../effort.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--measure', '10s', '--settle', '8s', '--no-warm-up'];
/** Two passes instead of three, and no third size: a trial takes half a minute and more. */
const search = ['find', 'one-to-one', '--confirm', '2', '--max', '2'];
/**
 * One call makes the server send 1.12 Mbit/s (docs/reference/finding.md). Small enough that the probes of the size
 * above it leave a machine of two cores with room.
 */
const upLinkKbps = 1680;

test.describe('a media server whose up-link carries one and a half calls', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('is found to hold one, with the starving probes of two named, and nothing left behind', short, async () => {
    const upLink = ['--egress-limit', `${upLinkKbps}kbit`];
    const ended = await workshop.start([...search, ...upLink, ...windows]).ended;
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
    const callsThatFit = (1000 * upLinkKbps) / (await egressBpsOf(stored, 1));
    expect(callsThatFit).toBeGreaterThan(1.2);
    expect(callsThatFit).toBeLessThan(1.9);
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});

/** What a trial of one call made the server send, bits per second over the measured window, headers included. */
async function egressBpsOf(run: StoredRun, trial: number): Promise<number> {
  const record = run.records.find(({ index }) => index === trial);
  if (record?.window === undefined || record.size !== 1) throw new Error(`trial ${trial} measured no single call`);
  const { startMs, endMs } = record.window;
  const { value: evidence } = await run.readEvidence(trial);
  const inWindow = evidence.server.filter((reading) => reading.atMs > startMs && reading.atMs <= endMs);
  const bytes = inWindow.reduce((total, reading) => total + (reading.egressBytes ?? 0), 0);
  return (bytes * 8000) / (endMs - startMs);
}
