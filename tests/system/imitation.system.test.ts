import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { lossyLink } from '../../bench/stage/lossy-link.js';
import type { Imitation } from '../../embedded-server/imitation.js';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { TestClient } from '../embedded/test-client.js';

/**
 * What a Chromium's own getStats says of the embedded server when that imitates other servers. Each takes some seconds.
 */
const args = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];
/** Every tenth packet, each way: a handful is resent in a few seconds. */
const lostShare = 0.1;
const patience = { timeout: 20_000, intervals: [200] };

/** Fields of webrtc-stats, by their own names. */
type Field =
  | 'timestamp'
  | 'roundTripTime'
  | 'availableOutgoingBitrate'
  | 'framesDecoded'
  | 'framesPerSecond'
  | 'packetsReceived'
  | 'retransmittedPacketsSent'
  | 'retransmittedPacketsReceived'
  | 'rtxSsrc';
type Stats = Readonly<Partial<Record<Field, number>>>;
declare const peers: {
  join(name: string, sends: boolean): Promise<void>;
  stats(name: string, type: string): Promise<Stats>;
};

interface Scene {
  readonly client: TestClient;
  readonly pipeline: string;
  /** Joins a participant of the page to an endpoint of the server. */
  join(endpoint: string, sends: boolean): Promise<void>;
  /** Of the video of an endpoint's participant, or its connection: the entry of this type in the browser's getStats. */
  stats(endpoint: string, type: string): Promise<Stats>;
}

async function onStage(imitation: Partial<Imitation>, scene: (stage: Scene) => Promise<void>): Promise<void> {
  const found = await findChromium({ env });
  if (!found) throw new Error('this test needs a Chromium');
  const server = await startEmbeddedServer({ port: 0, imitation });
  const client = await TestClient.open(server.url);
  const browser = await chromium.launch({ executablePath: found.path, args });
  try {
    const page = await openPage(await browser.newPage(), client);
    await scene({
      client,
      pipeline: await client.create('MediaPipeline'),
      join: (endpoint, sends) => page.evaluate(([name, own]) => peers.join(name, own), [endpoint, sends] as const),
      stats: (endpoint, type) => page.evaluate(([name, of]) => peers.stats(name, of), [endpoint, type] as const),
    });
  } finally {
    await browser.close();
    client.close();
    await server.close();
  }
}

/** A viewer, and then the camera that it sees. */
async function broadcast({ client, pipeline, join }: Scene): Promise<{ camera: string; viewer: string }> {
  const camera = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  const viewer = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.invoke(camera, 'connect', { sink: viewer });
  await join(viewer, false);
  await join(camera, true);
  return { camera, viewer };
}

test('reports that seldom come are seen as seldom as they come, and one in two of them has a wrapped round trip', async () => {
  await onStage({ reportIntervalMs: 2000, wrappedReport: 2 }, async (scene) => {
    const { camera } = await broadcast(scene);
    const arrivedAtMs = new Set<number>();
    const roundTrips = new Set<number>();
    const watch = async (): Promise<number> => {
      const { timestamp, roundTripTime } = await scene.stats(camera, 'remote-inbound-rtp');
      if (typeof roundTripTime === 'number') {
        arrivedAtMs.add(Number(timestamp));
        roundTrips.add(roundTripTime);
      }
      return arrivedAtMs.size;
    };
    await expect.poll(watch, patience).toBeGreaterThanOrEqual(3);
    const [first = 0, second = 0, third = 0] = arrivedAtMs;
    // Two ticks of the server for each; one would be the well-behaved server's.
    expect(third - first).toBeGreaterThan(3000);
    expect(third).toBeGreaterThan(second);
    const wrapped = [...roundTrips].filter((seconds) => seconds > 1526 && seconds < 1530);
    const plain = [...roundTrips].filter((seconds) => seconds < 4);
    expect([wrapped.length, plain.length].every((count) => count >= 1)).toBe(true);
    expect(wrapped.length + plain.length).toBe(roundTrips.size);
  });
});

test('a cold server answers nobody for a while and everything else, and a call comes about all the same', async () => {
  await onStage({ slowFirstJoinMs: 1500 }, async (scene) => {
    const { client, pipeline } = scene;
    const answered: string[] = [];
    const joined = broadcast(scene).then((ends) => {
      answered.push('offer');
      return ends;
    });
    await client.invoke(pipeline, 'getId').then(() => answered.push('getId'));
    const { viewer } = await joined;
    expect(answered).toEqual(['getId', 'offer']);
    const decoded = async () => (await scene.stats(viewer, 'inbound-rtp')).framesDecoded;
    await expect.poll(decoded, patience).toBeGreaterThan(10);
  });
});

const countsSchema = z.record(
  z.string(),
  z.object({ type: z.string(), packetsReceived: z.number().optional(), packetsSent: z.number().optional() }),
);

/**
 * Packets of video by the server's own count: that came in their first place from the camera, and that went to the
 * viewer.
 */
async function serverCounts({ client }: Scene, ends: { camera: string; viewer: string }) {
  const [camera, viewer] = await Promise.all(
    [ends.camera, ends.viewer].map(async (object) =>
      Object.values(countsSchema.parse(await client.invoke(object, 'getStats', { mediaType: 'VIDEO' }))),
    ),
  );
  return {
    came: camera?.find(({ type }) => type === 'inboundrtp')?.packetsReceived ?? 0,
    went: viewer?.find(({ type }) => type === 'outboundrtp')?.packetsSent ?? 0,
  };
}

for (const rtx of [true, false]) {
  test(`lost packets come again ${rtx ? 'by RTX, both ways' : 'on the stream itself'}`, async () => {
    const link = lossyLink(lostShare, 1);
    try {
      await onStage({ rtx }, async (scene) => {
        const ends = await broadcast(scene);
        const resent = async () => Number((await scene.stats(ends.camera, 'outbound-rtp')).retransmittedPacketsSent);
        await expect.poll(resent, patience).toBeGreaterThan(5);
        const seen = async () => Number((await scene.stats(ends.viewer, 'inbound-rtp')).packetsReceived);
        await expect.poll(seen, patience).toBeGreaterThan(100);
        const received = await scene.stats(ends.viewer, 'inbound-rtp');
        expect(received.rtxSsrc !== undefined).toBe(rtx);
        // webrtc-stats: only what came by RTX can be told from what came first.
        expect(Number(received.retransmittedPacketsReceived ?? 0) > 0).toBe(rtx);
        const { came, went } = await serverCounts(scene, ends);
        if (rtx) expect(went, 'what came by RTX went on to the viewer').toBeGreaterThan(came);
        else expect(went).toBeLessThanOrEqual(came);
      });
    } finally {
      link.close();
    }
  });
}

test('where arrivals are told (transport-cc), lost packets come again by RTX, and the cap of the sender still holds', async () => {
  const link = lossyLink(lostShare, 1);
  try {
    await onStage({ congestion: 'twcc' }, async (scene) => {
      const { camera, viewer } = await broadcast(scene);
      const again = async () => Number((await scene.stats(viewer, 'inbound-rtp')).retransmittedPacketsReceived ?? 0);
      await expect.poll(again, patience).toBeGreaterThan(5);
      const decoded = async () => Number((await scene.stats(viewer, 'inbound-rtp')).framesDecoded);
      await expect.poll(decoded, patience).toBeGreaterThan(60);
      const { availableOutgoingBitrate } = await scene.stats(camera, 'candidate-pair');
      expect(Number(availableOutgoingBitrate)).toBeLessThanOrEqual(500_000);
      expect(Number(availableOutgoingBitrate)).toBeGreaterThan(0);
    });
  } finally {
    link.close();
  }
});

test('a mix that is made at 10 frames a second is seen at 10 frames a second', async () => {
  await onStage({ mixFps: 10 }, async (scene) => {
    const { client, pipeline, join, stats } = scene;
    const info = JSON.stringify(await client.invoke('manager_ServerManager', 'getInfo'));
    test.skip(!info.includes('Composite'), 'GStreamer is not installed');
    const hub = await client.create('Composite', { mediaPipeline: pipeline });
    const port = await client.create('HubPort', { hub });
    const member = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
    await client.invoke(member, 'connect', { sink: port });
    await client.invoke(port, 'connect', { sink: member });
    await join(member, true);
    const fps = async () => Number((await stats(member, 'inbound-rtp')).framesPerSecond ?? 0);
    await expect.poll(async () => Math.abs((await fps()) - 10) <= 2, patience).toBe(true);
  });
});

async function openPage(page: Page, client: TestClient): Promise<Page> {
  await page.exposeBinding('negotiate', async (_source, endpoint: string, offer: string) => {
    for (const type of ['IceGatheringDone', 'IceCandidateFound'])
      await client.call('subscribe', { object: endpoint, type });
    await client.invoke(endpoint, 'processOffer', { offer });
    await client.invoke(endpoint, 'gatherCandidates');
    await client.waitForEvent('IceGatheringDone', endpoint);
    return client.invoke(endpoint, 'getLocalSessionDescriptor');
  });
  await page.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${pageScript}</script>` }),
  );
  await page.goto('http://localhost/');
  return page;
}

/** Plain JavaScript of the participants' page. */
const pageScript = `
  const connections = new Map();
  const camera = navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 360, frameRate: 30 }, audio: true });
  globalThis.peers = {
    async stats(name, type) {
      const stats = [...((await connections.get(name)?.getStats()) ?? new Map()).values()];
      return { ...stats.find((one) => one.type === type && (one.kind === 'video' || one.nominated)) };
    },
    async join(name, sends) {
      const connection = new RTCPeerConnection();
      connections.set(name, connection);
      for (const track of (await camera).getTracks()) {
        if (sends) connection.addTrack(track);
        else connection.addTransceiver(track.kind, { direction: 'recvonly' });
      }
      await connection.setLocalDescription();
      while (connection.iceGatheringState !== 'complete') {
        await new Promise((resolve) => connection.addEventListener('icegatheringstatechange', resolve, { once: true }));
      }
      const answer = await negotiate(name, connection.localDescription.sdp);
      await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    },
  };
`;
