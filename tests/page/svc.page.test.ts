import { expect } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { spatialParts } from '../../model/layer.js';
import { mediaSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { withLayers } from '../../scenarios/with-layers.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { tokensBy } from '../../server-setup/livekit/access-token.js';
import { LiveKitServer } from '../../server-setup/livekit/livekit-server.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import { long } from '../effort.js';
import { test } from '../fleet-stage.js';
import { hasLiveKit, noLiveKit, realLiveKit } from '../real-livekit.js';
import { soon } from '../soon.js';

const mediaOf = (videoCodec: 'VP8' | 'VP9') =>
  mediaSchema.parse({ width: 960, height: 540, videoKbps: 1000, videoCodec, svc: { mode: 'L3T2', asked: 'low' } });
const media = mediaOf('VP9');
const { signal } = new AbortController();

interface Tried {
  readonly server: MediaServer;
  readonly close: () => Promise<void>;
}

const servers: Readonly<Record<string, () => Promise<Tried>>> = {
  'the embedded server': async () => {
    const { url, close } = await startEmbeddedServer({ port: 0 });
    return { server: new KurentoServer({ url, maxVideoKbps: media.videoKbps }), close };
  },
  'a real LiveKit': async () => {
    const { url, env, close } = await realLiveKit();
    const layers = spatialParts(media) ?? [];
    const picture = { width: 960, height: 540, videoKbps: media.videoKbps, codec: 'vp9', layers };
    return { server: new LiveKitServer({ url, tokens: () => tokensBy(env, url), picture }), close };
  },
};

/** Of the last second of a probe. */
const widthOf = (samples: readonly Sample[], of: string, way: 'send' | 'receive') =>
  samples
    .findLast(({ probe }) => probe === of)
    ?.streams.flatMap(({ direction, kind, metrics }) =>
      kind === 'video' && direction === way && 'frameWidth' in metrics ? metrics.frameWidth : [],
    )[0];

for (const [name, opened] of Object.entries(servers))
  test(
    `a viewer on ${name} gets the layer within a stream of VP9 that it asks for, and another one later`,
    long,
    async ({ probes }) => {
      test.skip(name.includes('LiveKit') && !hasLiveKit(), noLiveKit);
      const { server, close } = await opened();
      try {
        await server.start(signal);
        const connected = name.includes('LiveKit') ? onConnections(broadcast, 'one') : broadcast;
        const [played] = withLayers(connected, media).sessions(1);
        const [presenter, viewer] = played?.participants ?? [];
        const leg = viewer?.legs.find(({ receives }) => receives.includes('video'));
        if (!played || !presenter || !viewer || !leg) throw new Error('a broadcast has a presenter and a viewer');
        const session = await server.openSession(played, signal);
        await probes.withFleet({ media }, async ({ fleet, samples, join }) => {
          await join(
            played.participants,
            (request) => session.join(request),
            15_000,
            async (request) =>
              (await session.begin?.({ ...request, sourcesThere: async () => undefined })) ?? { by: 'probe' },
          );
          const seen = () => [widthOf(samples, presenter.id, 'send'), widthOf(samples, viewer.id, 'receive')];
          await soon(seen, { timeout: 20_000 }).toEqual([960, 240]);
          await session.ask?.({ participant: viewer, leg, source: presenter.id, ask: 'high' });
          await soon(seen, { timeout: 20_000 }).toEqual([960, 960]);
          await session.ask?.({ participant: viewer, leg, source: presenter.id, ask: 'middle' });
          await soon(seen, { timeout: 20_000 }).toEqual([960, 480]);
          await fleet.leave();
        });
        await server.stop();
      } finally {
        await close();
      }
    },
  );

test('a probe whose codec has no such layers fails, and does not send others in silence', long, async ({ probes }) => {
  const { server, close } = await (servers['the embedded server'] as () => Promise<Tried>)();
  try {
    await server.start(signal);
    const [played] = withLayers(broadcast, mediaOf('VP8')).sessions(1);
    if (!played) throw new Error('a broadcast has a session');
    const session = await server.openSession(played, signal);
    await probes.withFleet({ media: mediaOf('VP8') }, async ({ fleet, join }) => {
      await join(played.participants, (request) => session.join(request), 5000);
      const [failed] = fleet.records().filter(({ participant }) => participant.presents);
      expect(failed?.failures[0]?.detail).toContain('L3T2');
      await fleet.leave();
    });
    await server.stop();
  } finally {
    await close();
  }
});
