import { expect, test } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { Leg } from '../../model/scenario.js';
import { NativeLink } from '../../rtp/native-link.js';
import { long } from '../../tests/effort.js';
import { joinNative } from '../../tests/embedded/join-native.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { clipOfBytes } from '../../tests/native-clip.js';
import { soon } from '../../tests/soon.js';
import { entriesOf } from '../page/stats-report.js';
import { NativePeer } from './native-peer.js';
import { workerSurroundings } from './surroundings.js';

const both = ['audio', 'video'] as const;
const legOf = (id: string, other: string): Leg => ({ id, sends: both, receives: both, from: { participant: other } });
const triesMost = 5;
const timeout = 20_000;

/** By kind of stream, what one peer says of what it sends or receives. */
const entryOf = (peer: NativePeer, type: string, kind: 'audio' | 'video') =>
  entriesOf(peer.stats(), type).find((entry) => entry.kind === kind);

/**
 * Two probes in a call. On a machine that is very busy a handshake of werift may fail, which is no part of what is
 * looked at here: then they call again.
 */
async function inCall(client: TestClient): Promise<readonly NativePeer[]> {
  const sending = { clip: clipOfBytes([100, 250, 477, 500]), videoKbps: 500 };
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
  for (let tries = 1; tries <= triesMost; tries += 1) {
    const peers = [legOf('1a', '1b'), legOf('1b', '1a')].map(
      (leg) => new NativePeer(leg, surroundings, () => undefined),
    );
    const pipeline = await client.create('MediaPipeline');
    const ends = [
      await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
      await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
    ] as const;
    await client.invoke(ends[0], 'connect', { sink: ends[1] });
    await client.invoke(ends[1], 'connect', { sink: ends[0] });
    for (const [nth, peer] of peers.entries()) await joinNative(peer, client, ends[nth] ?? '');
    const connected = ends.map((end) => client.waitForEvent('MediaStateChanged', end));
    if ((await Promise.allSettled(connected)).every(({ status }) => status === 'fulfilled')) return peers;
    for (const peer of peers) peer.close();
  }
  throw new Error(`no call of ${triesMost} came up`);
}

for (const [way, imitation] of [
  ['REMB', {}],
  ['transport-wide feedback', { rtx: true, congestion: 'twcc' }],
] as const) {
  test(
    `two native probes in a call, under ${way}: both send at the rate that the server allows, and see what the other sends`,
    long,
    async () => {
      const server = await startEmbeddedServer({ port: 0, imitation });
      const client = await TestClient.open(server.url);
      await NativeLink.prepare();
      const peers = await inCall(client);
      try {
        for (const peer of peers) {
          await soon(() => Number(entryOf(peer, 'inbound-rtp', 'video')?.framesDecoded), { timeout }).toBeGreaterThan(
            20,
          );
          // The server's cap less what goes to the sound.
          await soon(() => entryOf(peer, 'outbound-rtp', 'video')?.targetBitrate, { timeout }).toBe(477_000);
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
