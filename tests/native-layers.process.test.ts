import { test } from '@playwright/test';
import { type LayerName, layerNames, sentLayers } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import type { Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { broadcast } from '../scenarios/broadcast.js';
import { onConnections } from '../scenarios/on-connections.js';
import { withLayers } from '../scenarios/with-layers.js';
import { janusAbilities } from '../server-setup/janus/abilities.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { liveKitAbilities } from '../server-setup/livekit/abilities.js';
import { tokensBy } from '../server-setup/livekit/access-token.js';
import { LiveKitServer } from '../server-setup/livekit/livekit-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasJanus, realJanus } from './real-janus.js';
import { hasLiveKit, noLiveKit, realLiveKit } from './real-livekit.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const videoKbps = 1000;
const clips = [...[clipOfBytes([80], 10, 240), clipOfBytes([240], 10, 480)], ...[clipOfBytes([360, 600], 10, 960)]];

interface Real {
  readonly server: MediaServer;
  readonly rids: readonly string[];
  close(): Promise<void>;
}

async function onJanus(): Promise<Real> {
  test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
  const { url, close } = await realJanus();
  const server = new JanusServer({ url, maxVideoKbps: videoKbps, videoCodec: 'vp8' });
  return { server, rids: janusAbilities.simulcastRids ?? [], close };
}

async function onLiveKit(): Promise<Real> {
  test.skip(!hasLiveKit(), noLiveKit);
  const { url, env, close } = await realLiveKit();
  const rids = liveKitAbilities.simulcastRids ?? [];
  const layers = sentLayers({ width: 960, videoKbps, simulcast: { rids: [...rids] } });
  const picture = { width: 960, height: 540, videoKbps, codec: 'vp8', layers };
  return { server: new LiveKitServer({ url, tokens: () => tokensBy(env, url), picture }), rids, close };
}

for (const [name, real] of [
  ['Janus', onJanus],
  ['LiveKit', onLiveKit],
] as const)
  test(`a native sender of layers on a real ${name}: each native viewer gets the width of the layer that it asks for`, async () => {
    const { server, rids, close } = await real();
    await server.start(signal);
    await NativeLink.prepare();
    const widthOf = async (asked: LayerName): Promise<void> => {
      const simulcast = { rids: [...rids], asked };
      const media = mediaSchema.parse({ width: 960, height: 540, videoKbps, simulcast });
      const laidOut = name === 'Janus' ? broadcast : onConnections(broadcast, 'one');
      const [session] = withLayers(laidOut, media).sessions(1) as [Session];
      const opened = await server.openSession(session, signal);
      const sending = { clips, videoKbps };
      const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
      const members = new NativeMembers(opened, surroundings, signal);
      try {
        for (const one of session.participants) members.join(one);
        const viewer = session.participants.find(({ legs }) => legs.some(({ sends }) => sends.length === 0));
        const seen = () =>
          members.all
            .get(viewer?.id ?? '')
            ?.probe.sample(0)
            ?.streams.flatMap((one) => (one.kind === 'video' ? (one.metrics.frameWidth ?? 0) : []));
        await soon(seen, { timeout: 15_000 }).toEqual([240 * 2 ** layerNames.indexOf(asked)]);
      } finally {
        members.close();
        await opened.close();
      }
    };
    try {
      for (const asked of layerNames) await widthOf(asked);
    } finally {
      await server.stop();
      await close();
    }
  });
