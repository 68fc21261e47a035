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
    return whipServer({ addresses: { whip, whep }, env: {}, requestTimeoutMs: 20_000, streamWithinMs: 20_000 });
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
    expect(await endpoints()).toBe(0);
    await server.stop();
  });

  test(`by ${protocol}, members come into rooms that stay, hear who is there and are heard, and nothing of them stays`, async () => {
    const server = servers[protocol]();
    const { arrivals } = await realTrial({ server, scenario: 'sfu-group', size: 5, ...usual, ...made });

    // How many of the others each meets depends on how quick the server is.
    expect(arrivals).toMatchObject({ ...noneFailed, due: 5, begun: 5, answered: 5 });
    expect(await endpoints()).toBe(0);
    await server.stop();
  });
}

/** What was asked of a server in a whole trial of calls by WHIP and WHEP, as many as come in 1.4 s at 5 a second. */
async function askedOf(legs?: 'sending') {
  const server = servers.whip();
  const more = legs ? { legs } : {};
  const { arrivals } = await realTrial({ ...calls, ...more, server });
  const asked = server.traffic?.();
  await server.stop();
  return { arrivals, asked };
}
const calls = { scenario: 'one-to-one', size: 5, ...usual, subscribe: 'each' } as const;
const came = 2 * 5 * 1.4;
/** `OPTIONS` of both endpoints. */
const before = 2;

test('by WHIP and WHEP calls come and go, each participant publishing and viewing, and both ways are counted', async () => {
  const { arrivals, asked } = await askedOf();

  expect(arrivals).toMatchObject({ ...noneFailed, due: 10, begun: 10, answered: 10 });
  // Two connections for each: an offer, a candidate, and an end. A viewer may have to ask again.
  expect(asked?.roundTrips).toBeGreaterThanOrEqual(before + 6 * came);
  expect(asked?.sentBytes).toBeGreaterThan(1000 * came);
  expect(asked?.receivedBytes).toBeGreaterThan(1000 * came);
  expect(await endpoints()).toBe(0);
});

test('where participants join with what they send alone, none of them views', async () => {
  const { arrivals, asked } = await askedOf('sending');

  expect(arrivals).toMatchObject({ ...noneFailed, due: 10, answered: 10 });
  expect(asked?.roundTrips).toBe(before + 3 * came);
  expect(asked?.receivedMessages).toBe(before + 3 * came);
  expect(await endpoints()).toBe(0);
});
