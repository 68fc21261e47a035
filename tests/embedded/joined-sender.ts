import type { TestClient } from './test-client.js';
import { WeriftPeer } from './werift-peer.js';

/** How long after joining a handshake that fails has failed. */
const failedAfterMs = 500;
const triesMost = 5;

/**
 * One sender of an endpoint of its own, for whom media flows. On a machine that is very busy a handshake may fail;
 * where the sender is no part of what is looked at, another one is made then.
 */
export async function joinedSender(client: TestClient, pipeline: string) {
  for (let tries = 1; tries <= triesMost; tries += 1) {
    const from = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
    const sender = await WeriftPeer.join(client, from, 'sendonly');
    await new Promise((resolve) => setTimeout(resolve, failedAfterMs));
    if (client.eventsOf('Error', from).length === 0) return { from, sender };
    await sender.close();
  }
  throw new Error(`no handshake of ${triesMost} succeeded`);
}
