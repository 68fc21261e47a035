import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { layerRules } from '../analysis/judge/layer-rules.js';
import { measuringWindow } from '../analysis/measure/window.js';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { atOnce } from '../model/in-steps.js';
import { type AskedTurn, type LayerFault, sentLayers } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import type { Sample } from '../model/sample.js';
import type { Participant, Scenario, Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { broadcast } from '../scenarios/broadcast.js';
import { onConnections } from '../scenarios/on-connections.js';
import { withLayers } from '../scenarios/with-layers.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { KurentoServer } from '../server-setup/kurento/kurento-server.js';
import { liveKitAbilities } from '../server-setup/livekit/abilities.js';
import { tokensBy } from '../server-setup/livekit/access-token.js';
import { LiveKitServer } from '../server-setup/livekit/livekit-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { Asks } from '../trial/asks.js';
import { aTrial } from './builders/trial-builder.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasJanus, realJanus } from './real-janus.js';
import { hasLiveKit, noLiveKit, realLiveKit } from './real-livekit.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const videoKbps = 1000;
const clips = [clipOfBytes([80], 10, 240), clipOfBytes([240], 10, 480), clipOfBytes([600], 10, 960)];
const media = mediaSchema.parse({
  ...{ width: 960, height: 540, videoKbps },
  simulcast: { rids: ['l', 'm', 'h'], asked: 'high' },
});
/** The viewer shows a small picture, a large one, none, and the small one again. */
const turns: readonly AskedTurn[] = [
  [0, 'low'],
  [2500, 'high'],
  [7500, 'none'],
  [9000, 'low'],
];
const windowMs = 12_000;

function withTurns(one: Participant): Participant {
  const turning = <Source extends object>(source: Source): Source =>
    'layer' in source && source.layer ? { ...source, layer: { ...source.layer, turns } } : source;
  const legs = one.legs.map(({ from, ...leg }) =>
    from ? { ...leg, from: 'map' in from ? from.map(turning) : turning(from) } : leg,
  );
  return { ...one, legs };
}

/** On the embedded server, which may do wrong with layers. */
async function onEmbedded(layerFault?: LayerFault) {
  const embedded = await startEmbeddedServer({ port: 0, imitation: layerFault ? { layerFault } : {} });
  const server = new KurentoServer({ url: embedded.url, maxVideoKbps: videoKbps });
  try {
    return await judged(server, broadcast);
  } finally {
    await embedded.close();
  }
}

/** What the judge says of a native viewer whose layers are asked for as it shows them, and what was measured of it. */
async function judged(server: MediaServer, laidOut: Scenario, simulcast = media.simulcast) {
  await server.start(signal);
  const [found] = withLayers(laidOut, { ...media, simulcast }).sessions(1) as [Session];
  const session = { ...found, participants: found.participants.map(withTurns) };
  const opened = await server.openSession(session, signal);
  const sending = { clips, videoKbps };
  const members = new NativeMembers(
    opened,
    workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending }),
    signal,
  );
  const asks = new Asks(session.participants);
  asks.askBy(async (request) => opened.ask?.(request));
  const ended = new AbortController();
  try {
    for (const one of session.participants) members.join(one);
    const all = () => [...members.all.values()];
    await soon(() => all().flatMap(({ told }) => told.filter(({ call }) => call === 'up')).length, {
      timeout: 15_000,
    }).toBe(session.participants.length);
    // All layers have come up by then.
    await sleep(3000);
    for (const { probe } of all()) probe.sample(0);
    const startMs = Date.now();
    const clock = { nowMs: Date.now, sleep: (ms: number) => sleep(ms, undefined, { signal: ended.signal }) };
    const failed: string[] = [];
    void asks.begin({ clock, signal: ended.signal, onFailure: (_, detail) => failed.push(detail) });
    const samples: Sample[] = [];
    while (Date.now() < startMs + windowMs) {
      await sleep(1000);
      for (const { probe } of all()) {
        const sample = probe.sample(0);
        if (sample) samples.push(asks.marked(sample));
      }
    }
    expect(failed).toEqual([]);
    const window = { startMs, endMs: Date.now() };
    const { streams } = atOnce(measuringWindow(samples, session.participants, window));
    const seen = streams.find(({ summary }) => summary.direction === 'receive' && summary.kind === 'video');
    if (!seen) throw new Error('no picture was measured');
    const { expected: stream, readMs } = seen;
    const { values } = seen.summary;
    const measure = aTrial([], { baseline: null });
    const broken = layerRules.filter((rule) => {
      const value = rule.value({ stream, values, readMs }, measure);
      return rule.concerns(stream, measure) && value !== undefined && value > rule.limit(measure.thresholds);
    });
    return { codes: [...new Set(broken.map(({ code }) => code))], values, said: JSON.stringify(values) };
  } finally {
    ended.abort();
    members.close();
    await opened.close();
    await server.stop();
  }
}

test('who stays in the layer that it got first or turns without a key frame is named, and who does it right is not', async () => {
  test.setTimeout(90_000);
  await NativeLink.prepare();
  const [healthy, unmoved, keyless] = await Promise.all([onEmbedded(), onEmbedded('unmoved'), onEmbedded('keyless')]);
  expect(healthy.codes, healthy.said).toEqual([]);
  expect(healthy.values).toMatchObject({ switches: 2, unaskedSwitches: 0, belowLayerPercent: 0, aboveLayerPercent: 0 });
  expect(unmoved.codes, unmoved.said).toEqual(expect.arrayContaining(['wrong-layer', 'slow-switch']));
  expect(keyless.codes, keyless.said).toEqual(expect.arrayContaining(['wrong-layer', 'slow-switch']));
});

test('a real Janus gives who shows a picture small, large, not and small again what it asks for', async () => {
  test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
  await NativeLink.prepare();
  const { url, close } = await realJanus();
  try {
    const server = new JanusServer({ url, maxVideoKbps: videoKbps, videoCodec: 'vp8' });
    const { values, said } = await judged(server, broadcast);
    expect(values, said).toMatchObject({ switches: 2, belowLayerPercent: 0, aboveLayerPercent: 0 });
  } finally {
    await close();
  }
});

test('so does a real LiveKit', async () => {
  test.skip(!hasLiveKit(), noLiveKit);
  await NativeLink.prepare();
  const { url, env, close } = await realLiveKit();
  try {
    const rids = [...(liveKitAbilities.simulcastRids ?? [])];
    const layers = sentLayers({ width: 960, videoKbps, simulcast: { rids } });
    const picture = { width: 960, height: 540, videoKbps, codec: 'vp8', layers };
    const server = new LiveKitServer({ url, tokens: () => tokensBy(env, url), picture });
    const { values, said } = await judged(server, onConnections(broadcast, 'one'), { rids, asked: 'high' });
    expect(values, said).toMatchObject({ switches: 2, belowLayerPercent: 0, aboveLayerPercent: 0 });
  } finally {
    await close();
  }
});
