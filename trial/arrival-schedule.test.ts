import { expect, test } from '@playwright/test';
import { oneToOne } from '../scenarios/one-to-one.js';
import { byArrivals } from '../tests/arrivals/queued-trial.js';
import { arrivalSchedule } from './arrival-schedule.js';

test('those who come evenly do so at the rate that the size says, also where a part of one more would fill the time', () => {
  const stays = { process: 'constant', stay: 'constant', holdMs: 25_000 } as const;
  const load = { by: 'arrivals', ...stays, perMs: 10_000, seed: 1 } as const;
  const size = 1;
  for (const measureMs of [60_000, 59_000]) {
    const sessions = byArrivals(oneToOne, load, measureMs).sessions(size);
    const { afterMs } = arrivalSchedule(sessions, undefined, load, { size, measureMs });
    expect(sessions.map(({ participants: [first] }) => afterMs.get(first?.id ?? ''))).toEqual([
      0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000,
    ]);
  }
});
