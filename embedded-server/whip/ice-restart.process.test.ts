import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { NativePeer } from '../../probes/native/native-peer.js';
import { workerSurroundings } from '../../probes/native/surroundings.js';
import { entriesOf } from '../../probes/page/stats-report.js';
import { NativeLink } from '../../rtp/native-link.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { WhipResource } from '../../server-setup/whip/whip-resource.js';
import { clipOfBytes } from '../../tests/native-clip.js';
import { soon } from '../../tests/soon.js';
import { startEmbeddedServer } from '../server.js';

test('a native publisher and its viewer restart ICE by PATCH: checks are answered anew, and media goes on', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  await NativeLink.prepare();
  const sending = { clips: [clipOfBytes([100, 250, 477, 500])], videoKbps: 500 } as const;
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
  const [presenter, viewer] = broadcast.sessions(1)[0]?.participants ?? [];
  const play = async (leg: Leg, way: 'whip' | 'whep') => {
    const peer = new NativePeer(leg, surroundings, () => undefined);
    await peer.begin({ by: 'probe', candidates: 'in-one-message' }, () => undefined);
    const endpoint = { way, address: server[way], shown: {}, timeoutMs: 5000 };
    const resource = await WhipResource.open(endpoint, 'one', peer.offer());
    await peer.answer(resource.answer);
    return { peer, resource };
  };
  const rtt = (peer: NativePeer) =>
    entriesOf(peer.stats(), 'candidate-pair').map((pair) => pair.currentRoundTripTime)[0];
  const frames = (peer: NativePeer) =>
    entriesOf(peer.stats(), 'inbound-rtp').reduce((sum, { packetsReceived }) => sum + Number(packetsReceived), 0);
  const played: { readonly peer: NativePeer; readonly resource: WhipResource }[] = [];
  try {
    for (const [one, way] of [
      [presenter, 'whip'],
      [viewer, 'whep'],
    ] as const)
      played.push(await play(one?.legs[0] as Leg, way));
    const [, viewing] = played;
    await soon(() => (viewing ? frames(viewing.peer) : 0), { timeout: 20_000 }).toBeGreaterThan(20);
    for (const { peer, resource } of played) {
      await soon(() => rtt(peer), { timeout: 20_000 }).toEqual(expect.any(Number));
      const before = resource.answer;
      const roundTrip = rtt(peer);
      await peer.acceptRestart(await resource.restart(await peer.offerRestart()));
      expect(resource.answer).not.toBe(before);
      // Another check was answered, by the new credentials: the server takes no others any more.
      await soon(() => (rtt(peer) ?? roundTrip) !== roundTrip, { timeout: 20_000 }).toBe(true);
    }
    const heard = viewing ? frames(viewing.peer) : 0;
    await soon(() => (viewing ? frames(viewing.peer) : 0), { timeout: 20_000 }).toBeGreaterThan(heard + 20);
    expect(played.map(({ peer }) => peer.state)).toEqual(['connected', 'connected']);
  } finally {
    for (const { peer } of played) peer.close();
    await server.close();
  }
});
