import { expect, test } from '@playwright/test';
import type { ServerReading } from '../model/evidence.js';
import { virtualClock } from '../simulation/simulated-parts.js';
import { EvidenceWatch } from './evidence-watch.js';

const never = new AbortController().signal;

test('a reading that comes late is kept, and no other of its source begins before', async () => {
  const clock = virtualClock(0);
  let [sent, told, under, most] = [0, 0, 0, 0];
  /** Each tells what was sent since the one before it began; the third takes five seconds. */
  const server = async (): Promise<ServerReading> => {
    under += 1;
    most = Math.max(most, under);
    sent += 1;
    const egressBytes = sent * 100 - told;
    told += egressBytes;
    if (sent === 3) await clock.sleep(5000, never);
    under -= 1;
    return { atMs: clock.nowMs(), egressBytes };
  };
  const none = async () => [];
  const sources = { hosts: none, server, turn: async () => undefined, scraped: none };
  const watch = new EvidenceWatch(clock, sources, () => undefined);
  watch.start();
  await clock.sleep(12_500, never);
  await watch.stop();
  const readings = watch.evidence().server;
  expect(most).toBe(1);
  expect(readings.reduce((sum, { egressBytes = 0 }) => sum + egressBytes, 0)).toBe(told);
  expect(readings).toContainEqual(expect.objectContaining({ atMs: 7000 }));
});
