import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../model/trial.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from './find-limit.js';

async function trialsOf(size: number, server: Partial<SimulationOptions>, earlyStop?: boolean): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  const { parts } = aSimulatedRun(
    { voidRate: 0, capacity: 4, ...server },
    { listener: (event) => void (event.type === 'trial-ended' && records.push(event.record)) },
  );
  const plan = aPlan({}, earlyStop === undefined ? {} : { earlyStop });
  await tryOnce({ plan, scenario: oneToOne }, size, parts, new AbortController().signal);
  return records;
}

const windowMs = ({ window }: TrialRecord) => (window ? window.endMs - window.startMs : 0);

test('a trial that nothing can make stable any more ends there, and says at which second and why', async () => {
  const trial = (await trialsOf(8, { symptom: 'loss' })).at(-1);
  expect(trial).toMatchObject({ verdict: { kind: 'unstable' }, end: { kind: 'complete' } });
  expect(trial?.endedEarly?.because).toMatch(/lost .* % of the (audio|video)/);
  expect(trial && windowMs(trial)).toBe(trial?.endedEarly?.afterMs);
  expect(trial?.endedEarly?.afterMs).toBeLessThan(30_000);
  expect(trial?.streams.length).toBeGreaterThan(0);
});

test('a stable trial and the yardstick of a run are measured to their end', async () => {
  const [baseline, trial] = await trialsOf(3, {});
  for (const record of [baseline, trial]) {
    expect(record?.endedEarly).toBeUndefined();
    expect(record && windowMs(record)).toBe(60_000);
  }
  const [broken] = await trialsOf(3, { capacity: 0.5 });
  expect(broken).toMatchObject({ verdict: { kind: 'unstable' } });
  expect(broken && windowMs(broken)).toBe(60_000);
});

test('without early ends the verdict is the same, and the window whole', async () => {
  const whole = (await trialsOf(8, { symptom: 'loss' }, false)).at(-1);
  expect(whole?.verdict.kind).toBe('unstable');
  expect(whole && windowMs(whole)).toBe(60_000);
});

test('a trial in which the server refused somebody is not measured at all', async () => {
  const trial = (await trialsOf(8, { refusesAbove: 5 })).at(-1);
  expect(trial?.verdict.reasons[0]?.code).toBe('join-failed');
  expect(trial?.endedEarly).toMatchObject({ afterMs: 0, because: expect.stringContaining('was refused') });
  expect(trial?.window).toBeUndefined();
  expect(trial?.phases.map(({ phase }) => phase)).not.toContain('measure');
});

test('probes that are out of CPU never end a trial early: the window shows whose fault it was', async () => {
  const trials = await trialsOf(8, { symptom: 'loss', probeLimit: 6 });
  const last = trials.at(-1);
  expect(last?.verdict.kind).toBe('void');
  expect(last?.endedEarly).toBeUndefined();
});
