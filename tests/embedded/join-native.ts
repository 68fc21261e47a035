import type { NativePeer } from '../../probes/native/native-peer.js';
import { offerTo } from './offer-to.js';
import type { TestClient } from './test-client.js';

/**
 * A native peer makes its offer to an endpoint of an embedded server, and each side is told where the other is.
 * Connecting goes on.
 */
export async function joinNative(peer: NativePeer, client: TestClient, endpoint: string): Promise<void> {
  const found: unknown[] = [];
  await peer.begin({ by: 'probe' }, (candidate) => found.push(candidate));
  const { answer, candidates } = await offerTo(client, endpoint, peer.offer());
  await peer.answer(answer);
  for (const candidate of found) await client.invoke(endpoint, 'addIceCandidate', { candidate });
  for (const candidate of candidates) peer.addCandidate(candidate);
}
