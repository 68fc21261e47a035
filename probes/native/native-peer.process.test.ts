import { expect, test } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { NativeLink } from '../../rtp/native-link.js';
import { joinNative } from '../../tests/embedded/join-native.js';
import { joinedSender } from '../../tests/embedded/joined-sender.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { soon } from '../../tests/soon.js';
import { entriesOf } from '../page/stats-report.js';
import { NativePeer } from './native-peer.js';
import { workerSurroundings } from './surroundings.js';

const leg = { id: '1v1', sends: [], receives: ['video'], from: { participant: '1p' } } as const;

test('a native viewer of a real server connects, and counts every packet and frame that is sent', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  await NativeLink.prepare();
  const peer = new NativePeer(
    leg,
    workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8' }),
    () => undefined,
  );
  const pipeline = await client.create('MediaPipeline');
  const { from, sender } = await joinedSender(client, pipeline);
  const to = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.invoke(from, 'connect', { sink: to });
  try {
    await joinNative(peer, client, to);
    await soon(() => peer.state, { timeout: 10_000 }).toBe('connected');
    const inbound = () => entriesOf(peer.stats(), 'inbound-rtp')[0];
    // The far end is connected a moment later: until then nothing is passed on.
    await soon(
      () => {
        sender.send(500);
        return inbound();
      },
      { timeout: 10_000 },
    ).toBeDefined();
    for (let nth = 0; nth < 100; nth += 1) {
      sender.send(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await soon(() => Number(inbound()?.packetsReceived), { timeout: 10_000 }).toBeGreaterThanOrEqual(101);
    const packets = Number(inbound()?.packetsReceived);
    expect(inbound()).toMatchObject({ kind: 'video', bytesReceived: 500 * packets, packetsLost: 0 });
    // Each packet that is sent here says that it is a whole key frame.
    expect(inbound()).toMatchObject({ framesReceived: packets, framesDecoded: packets, keyFramesDecoded: packets });
    await soon(() => entriesOf(peer.stats(), 'candidate-pair')[0]?.currentRoundTripTime).toBeGreaterThan(0);
  } finally {
    peer.close();
    await sender.close();
    client.close();
    await server.close();
  }
});
