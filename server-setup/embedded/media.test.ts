import { expect, test } from '@playwright/test';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './server.js';
import { TestClient } from './test-client.js';
import { WeriftPeer } from './werift-peer.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One sender, one receiver, connected through a server with `options`. */
async function withPair(
  options: Omit<EmbeddedServerOptions, 'port'>,
  use: (rig: {
    server: EmbeddedServer;
    client: TestClient;
    sender: WeriftPeer;
    receiver: WeriftPeer;
    ends: string[];
  }) => Promise<void>,
): Promise<void> {
  const server = await startEmbeddedServer({ port: 0, ...options });
  const client = await TestClient.open(server.url);
  const pipeline = await client.create('MediaPipeline');
  const from = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  const to = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.invoke(from, 'connect', { sink: to });
  const sender = await WeriftPeer.join(client, from, 'sendonly');
  const receiver = await WeriftPeer.join(client, to, 'recvonly');
  try {
    await use({ server, client, sender, receiver, ends: [from, to] });
  } finally {
    await sender.close();
    await receiver.close();
    client.close();
    await server.close();
  }
}

async function resources(server: EmbeddedServer): Promise<Record<string, number>> {
  const response = await fetch(`http://127.0.0.1:${server.port}/loadline/resources`);
  return (await response.json()) as Record<string, number>;
}

test('every packet that is sent arrives, in order, seamlessly numbered, with its payload', async () => {
  await withPair({}, async ({ client, sender, receiver, ends }) => {
    for (let i = 0; i < 100; i += 1) {
      sender.send(200 + i);
      await pause(5);
    }
    await pause(200);
    expect(receiver.received.map((packet) => packet.payload.length)).toEqual(
      Array.from({ length: 100 }, (_, index) => 200 + index),
    );
    const first = receiver.received[0]?.header.sequenceNumber ?? 0;
    const numbers = receiver.received.map((packet) => packet.header.sequenceNumber - first);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index));
    const stats = JSON.stringify(await client.invoke(ends[0] ?? '', 'getStats'));
    expect(stats).toContain('"packetsLost":0,"packetsReceived":100');
  });
});

test('with a limit of half of what is sent, about half arrives, and the server says what it dropped', async () => {
  // 1000 bytes of payload, 20 of header, 10 to 16 of SRTP tag, 28 of UDP and IP.
  const packetBits = 1060 * 8;
  await withPair({ egressLimitBps: packetBits * 50 }, async ({ server, sender, receiver }) => {
    const before = await resources(server);
    const startedAtMs = performance.now();
    let sent = 0;
    while (performance.now() - startedAtMs < 3000) {
      // By the clock, so that a busy machine sends as much.
      while (sent < ((performance.now() - startedAtMs) / 1000) * 100) {
        sender.send(1000);
        sent += 1;
      }
      await pause(5);
    }
    await pause(300);
    const after = await resources(server);
    const share = receiver.received.length / sent;
    expect(share).toBeGreaterThan(0.44);
    expect(share).toBeLessThan(0.58);
    const dropped = (after.egressDroppedPackets ?? 0) - (before.egressDroppedPackets ?? 0);
    expect(receiver.received.length + dropped).toBeGreaterThanOrEqual(sent * 0.98);
  });
});

test('a packet missing on the way in is asked for again, and its loss is counted', async () => {
  await withPair({}, async ({ client, sender, ends }) => {
    for (let i = 0; i < 20; i += 1) {
      sender.send(100, i === 10 ? 1 : 0);
      await pause(5);
    }
    await pause(200);
    const stats = JSON.stringify(await client.invoke(ends[0] ?? '', 'getStats'));
    expect(stats).toMatch(/"nackCount":[1-4],"packetsLost":1/);
  });
});

test('the events of a connection come in the recorded order', async () => {
  await withPair({}, async ({ sender, receiver, client, ends }) => {
    sender.send(100);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    expect(await client.invoke(ends[0] ?? '', 'getConnectionState')).toBe('CONNECTED');
    expect(await client.invoke(ends[0] ?? '', 'isMediaFlowingOut', { mediaType: 'VIDEO' })).toBe(true);
    expect(await client.invoke(ends[1] ?? '', 'isMediaFlowingIn', { mediaType: 'VIDEO' })).toBe(true);
  });
});
