import { expect } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { WhipServer } from '../../server-setup/whip/whip-server.js';
import { SessionBook } from '../../trial/session-book.js';
import { failureCodes, pause, test } from '../fleet-stage.js';
import { soon } from '../soon.js';

let far: EmbeddedServer;
test.beforeAll(async () => {
  far = await startEmbeddedServer({ port: 0 });
});
test.afterAll(() => far.close());

const endpoints = async () => {
  const response = await fetch(`http://127.0.0.1:${far.port}/loadline/resources`);
  return ((await response.json()) as { readonly endpoints: number }).endpoints;
};

for (const [scenario, size, connections] of [
  [broadcast, 2, 3],
  [oneToOne, 1, 4],
] as readonly (readonly [Scenario, number, number])[]) {
  test(`a session of ${scenario.name} by WHIP and WHEP has media on each of its connections, and leaves none`, async ({
    probes,
  }) => {
    const sessions = onConnections(scenario, 'each').sessions(size);
    const participants = participantsOf(sessions);
    const addresses = { whip: far.whip, whep: far.whep };
    const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 10_000, streamWithinMs: 10_000 });
    const { signal } = new AbortController();
    expect(await server.start(signal)).toMatchObject({ nature: 'for-trying', sameHost: true });
    const book = new SessionBook(server, sessions, signal);
    await probes.withFleet({}, async ({ fleet, join, samples }) => {
      await join(participants, book.negotiate, 15_000, book.begin);
      expect(failureCodes(fleet)).toEqual(Object.fromEntries(participants.map(({ id }) => [id, []])));
      await pause(3000);
      expect(await endpoints()).toBe(connections);
      for (const { id, legs } of participants) {
        const latest = samples.findLast(({ probe }) => probe === id);
        const wanted = legs.flatMap((leg) => [...leg.sends, ...leg.receives]).sort();
        expect(latest?.streams.map(({ kind }) => kind).sort()).toEqual(wanted);
        const received = latest?.streams.flatMap((one) =>
          one.direction === 'receive' ? [one.metrics.packetsReceived ?? 0] : [],
        );
        for (const packets of received ?? []) expect(packets).toBeGreaterThan(10);
      }
      await book.close();
      expect(await endpoints()).toBe(0);
    });
    expect(await server.reset(signal)).toMatchObject({ how: 'not-provable' });
    await server.stop();
  });
}

test('browsers restart ICE by PATCH, each once, and media goes on over the pair that was found anew', async ({
  probes,
}) => {
  const sessions = onConnections(broadcast, 'each').sessions(2);
  const participants = participantsOf(sessions);
  const addresses = { whip: far.whip, whep: far.whep };
  const waits = { requestTimeoutMs: 10_000, streamWithinMs: 10_000 };
  const server = new WhipServer({ addresses, env: {}, ...waits, restartIceAfterMs: 2000 });
  const told: string[] = [];
  server.onEvent((event) => told.push('name' in event ? event.name : event.kind));
  const { signal } = new AbortController();
  await server.start(signal);
  const book = new SessionBook(server, sessions, signal);
  await probes.withFleet({}, async ({ fleet, join, samples }) => {
    await join(participants, book.negotiate, 15_000, book.begin);
    const restarted = () => told.filter((name) => name === 'ice-restarted');
    await soon(() => restarted().length, { timeout: 8000 }).toBe(3);
    const before = samples.length;
    await pause(2500);
    expect(failureCodes(fleet)).toEqual(Object.fromEntries(participants.map(({ id }) => [id, []])));
    for (const { id } of participants) {
      const latest = samples.slice(before).findLast(({ probe }) => probe === id);
      expect(latest?.streams.map(({ metrics }) => packetsOf(metrics) > 5)).toEqual(latest?.streams.map(() => true));
      expect(latest?.streams.length).toBeGreaterThan(0);
    }
    expect(told).not.toContain('ice-restart-refused');
    expect(restarted()).toHaveLength(3);
    await book.close();
  });
  await server.stop();
});

const packetsOf = (metrics: { readonly packetsReceived?: number; readonly packetsSent?: number }): number =>
  metrics.packetsReceived ?? metrics.packetsSent ?? 0;
