import { z } from 'zod';
import type { NativePeer } from '../../probes/native/native-peer.js';
import type { TestClient } from './test-client.js';
import { watchedEvents } from './werift-peer.js';

const eventSchema = z.object({
  candidate: z.object({ candidate: z.string(), sdpMid: z.string(), sdpMLineIndex: z.number() }),
});

/** Connects a native peer, which makes the offer, with an endpoint. Resolves when all candidates are told. */
export async function joinNatively(client: TestClient, endpoint: string, peer: NativePeer): Promise<void> {
  for (const type of watchedEvents) await client.call('subscribe', { object: endpoint, type });
  const found: unknown[] = [];
  await peer.begin({ by: 'probe' }, (candidate) => found.push(candidate));
  peer.answer(z.string().parse(await client.invoke(endpoint, 'processOffer', { offer: peer.offer() })));
  await client.invoke(endpoint, 'gatherCandidates');
  for (const candidate of found) await client.invoke(endpoint, 'addIceCandidate', { candidate });
  await client.waitForEvent('IceGatheringDone', endpoint);
  for (const event of client.eventsOf('IceCandidateFound', endpoint))
    peer.addCandidate(eventSchema.parse(event).candidate);
}
