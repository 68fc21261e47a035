import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { WhipServer } from '../../server-setup/whip/whip-server.js';
import { long } from '../effort.js';
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
  kurento: () => new KurentoServer({ url: embedded.url }),
  whip: () => {
    const { whip, whep } = embedded;
    return new WhipServer({ addresses: { whip, whep }, env: {}, requestTimeoutMs: 20_000, streamWithinMs: 20_000 });
  },
};
const usual = { holdMs: 200, measureMs: 600 };
const noneFailed = { refused: 0, stalled: 0, failed: 0, failures: [], leftBadly: 0 };

for (const [protocol, subscribe] of [
  ['kurento', undefined],
  ['whip', 'each'],
] as const) {
  const made = subscribe ? { subscribe } : {};

  test(
    `by ${protocol}, viewers come to one presenter and go while others come, and nothing of them stays`,
    protocol === 'kurento' ? {} : long,
    async () => {
      const server = servers[protocol]();
      const { arrivals } = await realTrial({ server, scenario: 'broadcast', size: 20, ...usual, ...made });

      expect(arrivals).toMatchObject({ ...noneFailed, due: 12, begun: 12, answered: 12 });
      expect(await endpoints()).toBe(0);
      await server.stop();
    },
  );

  test(
    `by ${protocol}, members come into rooms that stay, hear who is there and are heard, and nothing of them stays`,
    protocol === 'whip' ? {} : long,
    async () => {
      const server = servers[protocol]();
      const { arrivals } = await realTrial({ server, scenario: 'sfu-group', size: 5, ...usual, ...made });

      // How many of the others each meets depends on how quick the server is.
      expect(arrivals).toMatchObject({ ...noneFailed, due: 3, begun: 3, answered: 3 });
      expect(await endpoints()).toBe(0);
      await server.stop();
    },
  );
}

/** What was asked of a server in a whole trial of calls by WHIP and WHEP, as many as come in 0.8 s at 5 a second. */
async function requestsOf(legs?: 'sending') {
  const server = servers.whip();
  const more = legs ? { legs } : {};
  const { arrivals } = await realTrial({ ...calls, ...more, server });
  const asked = server.traffic?.();
  await server.stop();
  return { arrivals, asked };
}
const calls = { scenario: 'one-to-one', size: 5, ...usual, subscribe: 'each' } as const;
const came = 2 * 5 * 0.8;
/** `OPTIONS` of both endpoints. */
const before = 2;

test('by WHIP and WHEP calls come and go, each participant publishing and viewing, and both ways are counted', async () => {
  const { arrivals, asked } = await requestsOf();

  expect(arrivals).toMatchObject({ ...noneFailed, due: 6, begun: 6, answered: 6 });
  // Two connections for each: an offer, a candidate, and an end. A viewer may have to ask again.
  expect(asked?.roundTrips).toBeGreaterThanOrEqual(before + 6 * came);
  expect(asked?.sentBytes).toBeGreaterThan(1000 * came);
  expect(asked?.receivedBytes).toBeGreaterThan(1000 * came);
  expect(await endpoints()).toBe(0);
});

test('where participants join with what they send alone, none of them views', async () => {
  const { arrivals, asked } = await requestsOf('sending');

  expect(arrivals).toMatchObject({ ...noneFailed, due: 6, answered: 6 });
  expect(asked?.roundTrips).toBe(before + 3 * came);
  expect(asked?.receivedMessages).toBe(before + 3 * came);
  expect(await endpoints()).toBe(0);
});
