import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { NativePeer } from '../../probes/native/native-peer.js';
import { workerSurroundings } from '../../probes/native/surroundings.js';
import { entriesOf } from '../../probes/page/stats-report.js';
import { NativeLink } from '../../rtp/native-link.js';
import { voiceAgent } from '../../scenarios/voice-agent.js';
import { clipOfBytes } from '../../tests/native-clip.js';
import { soon } from '../../tests/soon.js';
import { startEmbeddedServer } from '../server.js';

test('who publishes by WHIP and asks for something in return hears itself, and who asks for nothing does not', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  await NativeLink.prepare();
  const sending = { clips: [clipOfBytes([100, 250, 477, 500])], videoKbps: 500 } as const;
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
  const leg = voiceAgent.sessions(1)[0]?.participants[0]?.legs[0] as Leg;
  const peers = [leg, { ...leg, id: '1b', receives: [] }].map(
    (one) => new NativePeer(one, surroundings, () => undefined),
  );
  try {
    for (const peer of peers) {
      await peer.begin({ by: 'probe', candidates: 'in-one-message' }, () => undefined);
      const url = server.whip.replace('{stream}', peer.leg.id);
      const headers = { 'content-type': 'application/sdp' };
      const response = await fetch(url, { method: 'POST', headers, body: peer.offer() });
      const answer = await response.text();
      expect(answer).toMatch(peer.leg === leg ? /^a=sendrecv\r$/m : /^a=recvonly\r$/m);
      await peer.answer(answer);
    }
    const heard = (peer: NativePeer | undefined) =>
      entriesOf(peer?.stats() ?? new Map(), 'inbound-rtp').map((entry) => Number(entry.packetsReceived));
    await soon(() => heard(peers[0])[0], { timeout: 20_000 }).toBeGreaterThan(20);
    expect(heard(peers[1])).toEqual([]);
  } finally {
    for (const peer of peers) peer.close();
    await server.close();
  }
});
