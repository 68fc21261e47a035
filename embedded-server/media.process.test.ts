import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { long } from '../tests/effort.js';
import { differences, readRecording } from '../tests/embedded/recorded.js';
import { type RpcFrame, TestClient } from '../tests/embedded/test-client.js';
import { WeriftPeer } from '../tests/embedded/werift-peer.js';
import { soon } from '../tests/soon.js';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './server.js';

const eventSchema = z.object({ params: z.object({ value: z.object({ type: z.string(), object: z.string() }) }) });

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

test(
  'with a limit of half of what is sent, about half arrives, and the server says what it dropped',
  long,
  async () => {
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
  },
);

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

test('the events of a sender come in the recorded order, each with its recorded shape', async () => {
  const recorded = (await readRecording('endpoint')).flatMap((frame) => ('msg' in frame ? [frame.msg] : []));
  await withPair({}, async ({ sender, receiver, client, ends }) => {
    sender.send(100);
    await soon(() => receiver.received.length).toBeGreaterThan(0);
    await client.waitForEvent('MediaStateChanged', ends[0]);
    const types = ['IceComponentStateChanged', 'IceCandidateFound', 'IceGatheringDone', 'NewCandidatePairSelected'];
    types.push('ConnectionStateChanged', 'MediaFlowOutStateChanged', 'MediaTranscodingStateChanged');
    const live = client.events.filter((event) => eventOf(event).object === ends[0]);
    expect(firstsOf(live)).toEqual(firstsOf(recorded).filter((type) => !type.startsWith('MediaFlowIn')));
    for (const type of [...types, 'MediaStateChanged']) {
      const [theirs, ours] = [recorded, live].map((frames) => frames.find((frame) => eventOf(frame).type === type));
      expect(differences(theirs, ours, false, type)).toEqual([]);
    }
  });
});

/** The event types in the order of their first occurrence. */
function firstsOf(frames: readonly RpcFrame[]): string[] {
  return [...new Set(frames.map((frame) => eventOf(frame).type))].filter((type) => type !== '');
}

function eventOf(frame: RpcFrame): { type: string; object: string } {
  const event = eventSchema.safeParse(frame);
  return event.success ? event.data.params.value : { type: '', object: '' };
}

test('requests for key frames reach the sender, many at once as one', async () => {
  await withPair({}, async ({ sender, receiver }) => {
    sender.send(100);
    await soon(() => receiver.received.length).toBeGreaterThan(0);
    await pause(500);
    const before = sender.keyFrameRequests;
    for (let i = 0; i < 10; i += 1) await receiver.requestKeyFrame();
    await soon(() => sender.keyFrameRequests - before).toBeGreaterThan(0);
    await pause(600);
    expect(sender.keyFrameRequests - before).toBeLessThanOrEqual(2);
  });
});
