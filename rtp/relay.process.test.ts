import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../embedded-server/server.js';
import type { Leg } from '../model/scenario.js';
import { type RelayAccess, type RelayWay, turnProtocols } from '../model/turn.js';
import { NativePeer } from '../probes/native/native-peer.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { routeOf } from '../probes/page/route.js';
import { entriesOf } from '../probes/page/stats-report.js';
import { CoturnRelay } from '../server-setup/turn/coturn-relay.js';
import type { OpenRelay } from '../server-setup/turn/turn-relay.js';
import { joinNative } from '../tests/embedded/join-native.js';
import { callEnds } from '../tests/embedded/native-call.js';
import { offerTo } from '../tests/embedded/offer-to.js';
import { TestClient } from '../tests/embedded/test-client.js';
import { isInstalled } from '../tests/installed.js';
import { clipOfBytes } from '../tests/native-clip.js';
import { soon } from '../tests/soon.js';
import { NativeLink } from './native-link.js';
import { RelayRefused } from './relay.js';

const hasCoturn = isInstalled(['turnserver']);
test.skip(!hasCoturn, 'coturn is not installed (apt-get install coturn)');

const timeout = 20_000;
const both = ['audio', 'video'] as const;
let folder: string;
let server: EmbeddedServer;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-native-turn-'));
  server = await startEmbeddedServer({ port: 0 });
  await NativeLink.prepare();
});
test.afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withCoturn(
  protocol: RelayAccess['protocol'],
  scene: (open: OpenRelay, client: TestClient) => Promise<void>,
): Promise<void> {
  const relay = new CoturnRelay({ protocol, relayAddress: async () => '127.0.0.1', temporaryRoot: folder });
  const open = await relay.open({ lifetimeMs: 60_000, onLost: () => undefined }, new AbortController().signal);
  const client = await TestClient.open(server.url);
  try {
    await scene(open, client);
  } finally {
    client.close();
    await open.close();
    await relay.stop();
  }
}

function peerOf(id: string, access: RelayWay, trustedKey?: string): NativePeer {
  const leg: Leg = { id, sends: both, receives: both, from: { participant: id } };
  const sending = { clips: [clipOfBytes([100, 250, 477, 500])], videoKbps: 500 };
  const more = trustedKey === undefined ? {} : { trustedKey };
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending, ...more });
  return new NativePeer(leg, surroundings, () => undefined, { relay: access });
}

const framesOf = (peer: NativePeer) =>
  entriesOf(peer.stats(), 'inbound-rtp').find(({ kind }) => kind === 'video')?.framesDecoded;

for (const protocol of turnProtocols) {
  test(`a native probe sends and receives through a real coturn over ${protocol}, says so, and gives its address back`, async () => {
    await withCoturn(protocol, async (open, client) => {
      const ends = await callEnds(client);
      const peers = ['1a', '1b'].map((id) => peerOf(id, open.accessFor(id), open.trustedKey));
      for (const [nth, peer] of peers.entries()) await joinNative(peer, client, ends[nth] ?? '');
      for (const peer of peers) {
        await soon(() => Number(framesOf(peer)), { timeout }).toBeGreaterThan(20);
        const route = routeOf('leg', peer.stats());
        expect(route).toMatchObject({ candidateType: 'relay', relayProtocol: protocol });
        expect(route?.relayedAt).toMatch(/^127\.0\.0\.1:\d+$/);
        expect(peer.ports).toHaveLength(protocol === 'udp' ? 1 : 0);
        const [pair] = entriesOf(peer.stats(), 'candidate-pair');
        expect(pair?.currentRoundTripTime).toBeGreaterThan(0);
      }
      for (const peer of peers) peer.close();
      await soon(async () => (await open.usage?.())?.complete, { timeout }).toBe(true);
      const usage = await open.usage?.();
      expect(usage).toMatchObject({ allocations: 2, refused: 0 });
      expect(Math.min(usage?.bytesFromProbes ?? 0, usage?.bytesToProbes ?? 0)).toBeGreaterThan(20_000);
    });
  });
}

test('a native probe that is to be relayed has no candidate until the answer names a TURN server, and then that one', async () => {
  await withCoturn('udp', async (open, client) => {
    const { url, username, credential } = open.accessFor('1a');
    const peer = peerOf('1a', { protocol: 'udp' });
    const found: string[] = [];
    const first = { by: 'probe', candidates: 'after-the-answer', takesEnd: true } as const;
    await peer.begin(first, ({ candidate }) => found.push(candidate));
    const [endpoint = ''] = await callEnds(client);
    const { answer, candidates } = await offerTo(client, endpoint, peer.offer());
    expect([found, peer.ports]).toEqual([[], []]);
    await peer.answer(answer, [{ urls: [url], username, credential }]);
    expect(found).toEqual([expect.stringContaining(' typ relay '), '']);
    const [candidate] = found;
    await client.invoke(endpoint, 'addIceCandidate', { candidate: { candidate, sdpMid: '0', sdpMLineIndex: 0 } });
    for (const one of candidates) peer.addCandidate(one);
    await soon(() => routeOf('leg', peer.stats()), { timeout }).toMatchObject({
      candidateType: 'relay',
      iceServer: url,
    });
    peer.close();
  });
});

test('what a TURN server says against a probe, and that nobody is there, is the reason that it has no candidate', async () => {
  await withCoturn('udp', async (open) => {
    const access = open.accessFor('1a');
    const refused = peerOf('1a', { ...access, credential: 'another' });
    const begun = refused.begin({ by: 'probe' }, () => undefined);
    await expect(begun).rejects.toBeInstanceOf(RelayRefused);
    await expect(begun).rejects.toThrow(/^the TURN server said 401 /);
    refused.close();
  });
  const gone = peerOf('1a', { url: 'turn:127.0.0.1:9?transport=tcp', protocol: 'tcp', username: '', credential: '' });
  await expect(gone.begin({ by: 'probe' }, () => undefined)).rejects.toThrow(/not reached over tcp.*ECONNREFUSED/);
  gone.close();
});

test('a TURN server with another certificate than the one that is trusted is not spoken to', async () => {
  await withCoturn('tls', async (open) => {
    const access = open.accessFor('1a');
    const other = peerOf('1a', access, Buffer.alloc(32).toString('base64'));
    await expect(other.begin({ by: 'probe' }, () => undefined)).rejects.toThrow(/another key/);
    const nobody = peerOf('1a', access);
    await expect(nobody.begin({ by: 'probe' }, () => undefined)).rejects.toThrow(/self-signed/);
    for (const peer of [other, nobody]) peer.close();
  });
});
