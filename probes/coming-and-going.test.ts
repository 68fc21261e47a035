import { test } from '@playwright/test';
import { wallClock } from '../cli/wiring/wall-clock.js';
import type { Participant } from '../model/scenario.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { soon } from '../tests/soon.js';
import { ComingAndGoing } from './coming-and-going.js';

test('who plays those who come is told by their names who leaves, a whole party at once', async () => {
  const participants = oneToOne.sessions(2).flatMap((session) => session.participants);
  const told: (readonly string[])[] = [];
  const arrivals = new ComingAndGoing(wallClock, {
    join: async ({ participant: { id, session }, dueMs, nowMs }) => {
      return { participant: id, session, dueMs, answeredMs: nowMs(), endedMs: nowMs() };
    },
    hangUp: async (probes) => void told.push(probes),
  });
  const arriving = {
    ...{ nowMs: Date.now, dueMs: Date.now, partyOf: ({ session }: Participant) => session, atOnce: () => 4 },
    ...{ legsOf: ({ legs }: Participant) => legs, stayMs: () => 20, end: async () => undefined },
    ...{ onJoin: () => undefined, onStay: () => undefined, onAsleep: () => undefined },
  };
  const negotiate = () => Promise.reject(new Error('nobody negotiates'));
  const { signal } = new AbortController();

  await arrivals.join(participants, { pacePerSecond: 1, deadlineMs: 1000, negotiate, arriving, signal });

  // Both parties are due at once, so either may be the first.
  await soon(() => new Set(told)).toEqual(
    new Set([
      ['1a', '1b'],
      ['2a', '2b'],
    ]),
  );
  await arrivals.close();
});
