import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { WeriftPeer, watchedEvents } from '../../tests/embedded/werift-peer.js';
import { soon } from '../../tests/soon.js';
import { entriesOf } from '../page/stats-report.js';
import { NativeLink } from './native-link.js';
import { NativePeer } from './native-peer.js';
import { workerSurroundings } from './surroundings.js';

const eventSchema = z.object({
  candidate: z.object({ candidate: z.string(), sdpMid: z.string(), sdpMLineIndex: z.number() }),
});
const leg = { id: '1v1', sends: [], receives: ['video'], from: { participant: '1p' } } as const;

test('a native viewer of a real server connects, counts every packet that is sent, and asks for a key frame', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  await NativeLink.prepare();
  const peer = new NativePeer(
    leg,
    workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8' }),
    () => undefined,
  );
  const pipeline = await client.create('MediaPipeline');
  const from = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  const to = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.invoke(from, 'connect', { sink: to });
  const sender = await WeriftPeer.join(client, from, 'sendonly');
  try {
    for (const type of watchedEvents) await client.call('subscribe', { object: to, type });
    const found: unknown[] = [];
    await peer.begin({ by: 'probe' }, (candidate) => found.push(candidate));
    peer.answer(z.string().parse(await client.invoke(to, 'processOffer', { offer: peer.offer() })));
    await client.invoke(to, 'gatherCandidates');
    for (const candidate of found) await client.invoke(to, 'addIceCandidate', { candidate });
    await client.waitForEvent('IceGatheringDone', to);
    for (const event of client.eventsOf('IceCandidateFound', to)) peer.addCandidate(eventSchema.parse(event).candidate);
    await soon(() => peer.state).toBe('connected');
    await client.waitForEvent('ConnectionStateChanged', to);
    for (let nth = 0; nth < 100; nth += 1) {
      sender.send(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const inbound = () => entriesOf(peer.stats(), 'inbound-rtp')[0];
    await soon(() => inbound()?.packetsReceived).toBe(100);
    expect(inbound()).toMatchObject({ kind: 'video', packetsReceived: 100, bytesReceived: 50_000, packetsLost: 0 });
    // What is sent is no picture: without a key frame nothing is decodable, and one is asked for.
    expect(inbound()).toMatchObject({ framesDecoded: 0 });
    expect(sender.keyFrameRequests).toBeGreaterThan(0);
    await soon(() => entriesOf(peer.stats(), 'candidate-pair')[0]?.currentRoundTripTime).toBeGreaterThan(0);
  } finally {
    peer.close();
    await sender.close();
    client.close();
    await server.close();
  }
});
