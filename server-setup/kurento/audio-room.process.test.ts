import { expect, test } from '@playwright/test';
import type { Session } from '../../model/scenario.js';
import { audioRoom } from '../../scenarios/audio-room.js';
import { type Script, type ScriptedRequest, scriptedKurento } from '../../tests/scripted-kurento.js';
import { typeOf } from './kurento-calls.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const operationIs = (name: string) => (request: ScriptedRequest) => request.params.operation === name;

const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function scriptedWith(script?: Script) {
  const scripted = await scriptedKurento(script);
  const server = new KurentoServer({ url: scripted.url, maxVideoKbps: 500 });
  closers.push(scripted.close, () => server.stop());
  return { scripted, server };
}

test('a room of sound is a Composite that sound alone is connected to, both ways, and no word is said of video', async () => {
  const { scripted, server } = await scriptedWith();
  await server.start(signal);
  const [room] = audioRoom(2).sessions(1) as [Session];
  const session = await server.openSession(room, signal);
  for (const participant of room.participants) {
    for (const leg of participant.legs) {
      await session.join({ participant, leg, offer: 'v=0\r\n', onCandidate: () => undefined, signal });
    }
  }
  const created = scripted.requests.filter(({ method }) => method === 'create').map(({ params }) => params.type);
  const ofMember = ['WebRtcEndpoint', 'HubPort'];
  expect(created).toEqual(['MediaPipeline', 'Composite', ...ofMember, ...ofMember]);
  const connections = scripted.requests.filter(operationIs('connect')).map(({ params }) => {
    const { sink, mediaType } = params.operationParams as { sink: string; mediaType: string };
    return [typeOf(String(params.object)), typeOf(sink), mediaType].join(' ');
  });
  const bothWays = ['WebRtcEndpoint HubPort AUDIO', 'HubPort WebRtcEndpoint AUDIO'];
  expect(connections).toEqual([...bothWays, ...bothWays]);
  expect(scripted.frames.join().toLowerCase()).not.toContain('video');
  await server.reset(signal);
  expect(scripted.pipelines.size).toBe(0);
});

test('a Kurento that lists no Composite says so of rooms with pictures and of those of sound alone', async () => {
  const modules = ['core', 'elements', 'filters'].map((name) => ({ factories: ['WebRtcEndpoint'], name }));
  const info = { type: 'KMS', version: '7.3.0', modules };
  const { server } = await scriptedWith((request) => (operationIs('getInfo')(request) ? { value: info } : undefined));
  const { missing = [] } = await server.start(signal);
  expect(missing.map(({ shape }) => shape)).toEqual(['mix', 'mix-sound']);
});
