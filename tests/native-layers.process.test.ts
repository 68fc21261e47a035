import { test } from '@playwright/test';
import { type LayerName, layerNames } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import type { Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { broadcast } from '../scenarios/broadcast.js';
import { withLayers } from '../scenarios/with-layers.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasJanus, realJanus } from './real-janus.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const videoKbps = 1000;
const clips = [...[clipOfBytes([80], 10, 240), clipOfBytes([240], 10, 480)], ...[clipOfBytes([360, 600], 10, 960)]];

test('a native sender of layers on a real Janus: each native viewer gets the width of the layer that it asks for', async () => {
  test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
  const janus = await realJanus();
  const server = new JanusServer({ url: janus.url, maxVideoKbps: videoKbps, videoCodec: 'vp8' });
  await server.start(signal);
  await NativeLink.prepare();
  const widthOf = async (asked: LayerName): Promise<void> => {
    const simulcast = { rids: ['l', 'm', 'h'], asked };
    const media = mediaSchema.parse({ width: 960, height: 540, videoKbps, simulcast });
    const [session] = withLayers(broadcast, media).sessions(1) as [Session];
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
    await janus.close();
  }
});
