import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { differences } from './check-network.js';
import { checkTimes } from './check-plan.js';
import { measureLink, measureOf } from './link-end.js';

test('a link of 400 kbit/s that two connections share is not what was set', async () => {
  const rate = { bps: 400_000, ms: 500, connections: 2 };
  const plan = {
    up: { packets: 20, perSecond: 1000, rate },
    down: { packets: 20, perSecond: 1000, rate },
    drainMs: 200,
  };
  const { signal } = new AbortController();
  const [host, far, second] = [createSocket('udp4'), createSocket('udp4'), createSocket('udp4')];
  host.bind(0, '127.0.0.1');
  await once(host, 'listening');
  const peer = { address: '127.0.0.1', port: host.address().port };
  const [up, down] = await Promise.all([
    measureLink([host], plan, { sends: 'down' }, signal),
    measureLink([far, second], plan, { sends: 'up', peer }, signal),
  ]);
  for (const socket of [host, far, second]) socket.close();
  // Loopback carries what is sent on both; the figure is one connection's.
  for (const { rateBps } of [up, down]) expect((rateBps ?? 0) / 400_000).toBeGreaterThan(0.6);
  for (const { rateBps } of [up, down]) expect((rateBps ?? 0) / 400_000).toBeLessThan(1.4);
  const shared = { delaysMs: new Map([[0, 1]]), duplicates: 0, reordered: 0, rateBytes: 50_000 };
  const measured = measureOf({ ...shared, rateFromMs: 0, rateToMs: 1000 }, 1, 2);
  expect(differences({ rateBps: 400_000 }, measured)).toContain('the rate is 200 kbit/s, 400 kbit/s were set');
});

test('two ends on loopback find each other and a link that does nothing', async () => {
  const plan = { up: { packets: 300, perSecond: 1000 }, down: { packets: 200, perSecond: 1000 }, drainMs: 300 };
  const { signal } = new AbortController();
  const [host, far] = [createSocket('udp4'), createSocket('udp4')];
  host.bind(0, '127.0.0.1');
  await once(host, 'listening');
  const peer = { address: '127.0.0.1', port: host.address().port };
  const [up, down] = await Promise.all([
    measureLink([host], plan, { sends: 'down' }, signal),
    measureLink([far], plan, { sends: 'up', peer }, signal),
  ]);
  host.close();
  far.close();
  expect(up).toMatchObject({ sent: 300, received: 300, lossPercent: 0, duplicatePercent: 0 });
  expect(down).toMatchObject({ sent: 200, received: 200, lossPercent: 0 });
  expect(up.delayMs).toBeLessThan(20);
  expect(checkTimes(plan).endMs).toBe(600);
});
