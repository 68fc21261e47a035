import { expect, test } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { NativeLink } from '../../rtp/native-link.js';
import { long } from '../../tests/effort.js';
import { nativeCall } from '../../tests/embedded/native-call.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { soon } from '../../tests/soon.js';
import { entriesOf } from '../page/stats-report.js';
import type { NativePeer } from './native-peer.js';

const timeout = 20_000;

/** By kind of stream, what one peer says of what it sends or receives. */
const entryOf = (peer: NativePeer, type: string, kind: 'audio' | 'video') =>
  entriesOf(peer.stats(), type).find((entry) => entry.kind === kind);

for (const [way, imitation, allowed] of [
  ['REMB', {}, 477_000],
  // It counts headers.
  ['transport-wide feedback', { rtx: true, congestion: 'twcc' }, 445_000],
] as const) {
  test(
    `two native probes in a call, under ${way}: both send at the rate that the server allows, and see what the other sends`,
    long,
    async () => {
      const server = await startEmbeddedServer({ port: 0, imitation });
      const client = await TestClient.open(server.url);
      await NativeLink.prepare();
      const peers = await nativeCall(client);
      try {
        for (const peer of peers) {
          await soon(() => Number(entryOf(peer, 'inbound-rtp', 'video')?.framesDecoded), { timeout }).toBeGreaterThan(
            20,
          );
          // The server's cap less what goes to the sound.
          await soon(() => entryOf(peer, 'outbound-rtp', 'video')?.targetBitrate, { timeout }).toBe(allowed);
          await soon(() => entryOf(peer, 'remote-inbound-rtp', 'video')?.roundTripTime, { timeout }).toBeGreaterThan(0);
          expect(entryOf(peer, 'remote-inbound-rtp', 'video')).toMatchObject({ packetsLost: 0 });
          const received = { packetsLost: 0, frameWidth: 640, frameHeight: 360 };
          expect(entryOf(peer, 'inbound-rtp', 'video')).toMatchObject(received);
          expect(entryOf(peer, 'inbound-rtp', 'audio')).toMatchObject({ packetsLost: 0 });
          expect(peer.readFacts().rtx).toEqual('rtx' in imitation ? ['video'] : []);
        }
      } finally {
        for (const peer of peers) peer.close();
        client.close();
        await server.close();
      }
    },
  );
}
