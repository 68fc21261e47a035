import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { kurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { whipServer } from '../../server-setup/whip/whip-server.js';
import { realTrial } from './real-trial.js';

let embedded: EmbeddedServer;
test.beforeEach(async () => {
  embedded = await startEmbeddedServer({ port: 0 });
});
test.afterEach(() => embedded.close());

const endpoints = async () => {
  const response = await fetch(`http://127.0.0.1:${embedded.port}/loadline/resources`);
  return ((await response.json()) as { readonly endpoints: number }).endpoints;
};
const servers = {
  kurento: () => kurentoServer({ url: embedded.url }),
  whip: () => {
    const { whip, whep } = embedded;
    return whipServer({ addresses: { whip, whep }, env: {}, requestTimeoutMs: 5000, streamWithinMs: 3000 });
  },
};
const usual = { holdMs: 400, measureMs: 1000 };
const noneFailed = { refused: 0, stalled: 0, failed: 0, failures: [], leftBadly: 0 };

for (const [protocol, subscribe] of [
  ['kurento', undefined],
  ['whip', 'each'],
] as const) {
  const made = subscribe ? { subscribe } : {};

  test(`by ${protocol}, viewers come to one presenter and go while others come, and nothing of them stays`, async () => {
    const server = servers[protocol]();
    const { arrivals } = await realTrial({ server, scenario: 'broadcast', size: 20, ...usual, ...made });

    expect(arrivals).toMatchObject({ ...noneFailed, due: 20, begun: 20, answered: 20 });
    // Twenty a second for 0.4 s, beside the presenter, who is none of them.
    expect(arrivals.presentMax).toBeGreaterThan(5);
    expect(arrivals.presentMax).toBeLessThan(12);
    expect(arrivals.traffic?.roundTrips).toBeGreaterThanOrEqual(2 * arrivals.due);
    expect(await endpoints()).toBe(0);
    await server.stop();
  });

  test(`by ${protocol}, members come into rooms that stay, hear who is there and are heard, and nothing of them stays`, async () => {
    const server = servers[protocol]();
    const { arrivals } = await realTrial({ server, scenario: 'sfu-group', size: 10, ...usual, ...made });

    expect(arrivals).toMatchObject({ ...noneFailed, due: 10, begun: 10, answered: 10 });
    expect(await endpoints()).toBe(0);
    await server.stop();
  });
}

test('by WHIP and WHEP calls come and go, each participant publishing and viewing, and both ways are counted', async () => {
  const server = servers.whip();
  const { arrivals } = await realTrial({ server, scenario: 'one-to-one', size: 5, ...usual, subscribe: 'each' });

  expect(arrivals).toMatchObject({ ...noneFailed, due: 10, begun: 10, answered: 10 });
  // Two connections for each: an offer, a candidate, and an end.
  const { roundTrips = 0, sentBytes = 0, receivedBytes = 0 } = arrivals.traffic ?? {};
  expect(roundTrips / arrivals.due).toBeGreaterThan(4);
  expect(roundTrips / arrivals.due).toBeLessThan(8);
  expect(sentBytes).toBeGreaterThan(1000 * arrivals.due);
  expect(receivedBytes).toBeGreaterThan(1000 * arrivals.due);
  expect(await endpoints()).toBe(0);
  await server.stop();
});

test('where participants join with what they send alone, calls make half as many connections', async () => {
  const both = await realTrial({
    server: servers.whip(),
    scenario: 'one-to-one',
    size: 5,
    ...usual,
    subscribe: 'each',
  });
  const sending = await realTrial({
    ...{ server: servers.whip(), scenario: 'one-to-one', size: 5, ...usual },
    ...{ subscribe: 'each', legs: 'sending' },
  });

  expect(sending.arrivals).toMatchObject({ ...noneFailed, due: 10, answered: 10 });
  const ratio = (sending.arrivals.traffic?.roundTrips ?? 0) / (both.arrivals.traffic?.roundTrips ?? 1);
  expect(Math.abs(ratio - 0.5)).toBeLessThan(0.15);
});
