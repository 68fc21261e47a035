import { expect, test } from '@playwright/test';
import { oneToOne } from '../scenarios/one-to-one.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { findLimit } from './find-limit.js';
import type { Clock, Parts } from './parts.js';
import { stepText } from './stepped-clock.js';

const never = new AbortController().signal;

test('a clock that is stepped by an hour in a trial makes that trial void by this name, and the run goes on', async () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    let stepped = 0;
    let trials = 0;
    const { parts, events } = aSimulatedRun({ capacity: 2 });
    const clock: Clock = {
      nowMs: () => parts.clock.nowMs(),
      sleep: (ms, signal) => parts.clock.sleep(ms, signal),
      steppedMs: () => stepped,
    };
    const listener: Parts['listener'] = (event) => {
      events.push(event);
      if (event.type === 'trial-started') trials += 1;
      if (event.type === 'phase' && event.phase === 'measure' && trials === 2) stepped = byMs;
    };
    const result = await findLimit(
      { plan: aPlan({ max: 4 }, { measureMs: 20_000 }), scenario: oneToOne },
      { ...parts, clock, listener },
      never,
    );
    expect(result.trials[1]).toMatchObject({
      verdict: 'void',
      reasons: [{ code: 'environment', text: stepText(byMs) }],
    });
    expect(result.trials.filter(({ verdict }) => verdict === 'void')).toHaveLength(1);
    expect(result.limit).toMatchObject({ stable: 2, unstable: 3 });
  }
});

test('a clock that is set by less than a delay is limited to is not called stepped', () => {
  expect(stepText(150)).toBeUndefined();
  expect(stepText(-199)).toBeUndefined();
  expect(stepText(400)).toBe(
    'The system clock was set forward by 0.4 s during the trial, or the machine slept so long.',
  );
  expect(stepText(-3_600_000)).toBe('The system clock was set back by 3600 s during the trial.');
});

test('what else is at work on the host before a trial is a warning in its record', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 4 });
  const othersOnHost = async () => ['Probes of another run are at work on this host.'];
  await findLimit({ plan: aPlan({ max: 2 }), scenario: oneToOne }, { ...parts, othersOnHost }, never);
  const [first] = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  expect(first?.events).toContainEqual(
    expect.objectContaining({ type: 'warning', text: 'Probes of another run are at work on this host.' }),
  );
});
