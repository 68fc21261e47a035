import { expect, test } from '@playwright/test';
import type { Scenario } from '../model/scenario.js';
import type { TrialRecord } from '../model/trial.js';
import { sfuGroup } from '../scenarios/group.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from './find-limit.js';

const never = new AbortController().signal;

/** The trials of one size, after the baseline, on a server that carries whatever comes. */
async function trialsOf(
  scenario: Scenario,
  size: number,
  pacePerSecond: number,
  server: Partial<SimulationOptions> = {},
): Promise<readonly TrialRecord[]> {
  const { parts, events } = aSimulatedRun({ scenario, capacity: 1000, ...server });
  const plan = aPlan({}, { measureMs: 10_000, settleMs: 12_000, pacePerSecond });
  await tryOnce({ plan, scenario }, size, parts, never);
  return events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
}

const firstFrame = ({ verdict }: TrialRecord | Pick<TrialRecord, 'verdict'>) =>
  verdict.thresholds.find(({ code }) => code === 'first-frame-late');

test('a perfect server is stable with rooms of 11, whose first member waits five seconds for the last', async () => {
  const [alone] = await trialsOf(sfuGroup(11), 1, 2);
  expect(alone?.verdict.kind).toBe('stable');
  expect(alone?.probes[0]?.join).toMatchObject({ sourcesStartedMs: 5000, firstFrameMs: 5300 });
  expect(alone && firstFrame(alone)).toMatchObject({ worst: 300, passed: true });
});

test('a perfect server is stable when one joins every two seconds, at any size', async () => {
  for (const scenario of [oneToOne, sfuGroup(4)]) {
    const trials = await trialsOf(scenario, 3, 0.5);
    expect(trials.map(({ size, verdict }) => [size, verdict.kind])).toEqual([
      [1, 'stable'],
      [3, 'stable'],
    ]);
  }
});

test('a server that takes six seconds for a first frame fails, in rooms and in calls', async () => {
  for (const scenario of [oneToOne, sfuGroup(11)]) {
    const [alone] = await trialsOf(scenario, 1, 2, { answersInMs: 5700 });
    expect(alone?.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'first-frame-late' }] });
    expect(alone && firstFrame(alone)).toMatchObject({ worst: 6000, passed: false });
  }
});
