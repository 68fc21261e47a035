import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { Session } from '../../model/scenario.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { type Script, type ScriptedKurento, scriptedKurento } from '../../tests/scripted-kurento.js';
import { soon } from '../../tests/soon.js';
import type { MediaServer, ServerSession } from '../media-server.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const nobody = { sentFps: new Map<string, number>() };

interface Recording {
  readonly kurento: ScriptedKurento;
  readonly server: MediaServer;
  readonly session: ServerSession;
  /** Operations and creations that concern recorders, in order. */
  asked(): readonly string[];
}

let dispose: (() => Promise<void>) | undefined;
test.afterEach(async () => {
  await dispose?.();
  dispose = undefined;
});

async function recording(of: Session | undefined, script: Script = () => undefined): Promise<Recording> {
  if (!of) throw new Error('no session');
  const kurento = await scriptedKurento(script);
  const server = new KurentoServer({ url: kurento.url, record: true, pid: 1 });
  dispose = async () => {
    await server.stop();
    await kurento.close();
  };
  await server.start(signal);
  const session = await server.openSession(of, signal);
  for (const participant of of.participants) {
    for (const leg of participant.legs) {
      await session.join({ participant, leg, offer: 'v=0', onCandidate: () => undefined, signal });
    }
  }
  const asked = () =>
    kurento.requests.flatMap(({ method, params }) => {
      const { object, type, operation } = params as Record<string, string | undefined>;
      if (method === 'create' && type === 'RecorderEndpoint') return ['create'];
      return method === 'invoke' && object?.includes('Recorder') ? [operation ?? ''] : [];
    });
  return { kurento, server, session, asked };
}

/** Ids of what was created, in order of creation. */
function created({ kurento }: Recording, type: string): readonly string[] {
  const made = kurento.requests.flatMap(({ id, method, params }) =>
    method === 'create' && params.type === type ? [`${pipelineOf(params)}/${id}_kurento.${type}`] : [],
  );
  return made;
}

function pipelineOf(params: Readonly<Record<string, unknown>>): string {
  return String((params.constructorParams as { mediaPipeline?: string }).mediaPipeline);
}

function flow(one: Recording, endpoint: string | undefined, mediaType: 'AUDIO' | 'VIDEO'): void {
  one.kurento.say(endpoint ?? '', 'MediaFlowOutStateChanged', { state: 'FLOWING', mediaType, padName: 'default' });
}

test('each participant who sends is recorded, once all that it sends has come', async () => {
  const one = await recording(oneToOne.sessions(1)[0]);
  expect(one.asked()).toEqual(['create', 'create']);
  const [first] = created(one, 'WebRtcEndpoint');
  flow(one, first, 'AUDIO');
  flow(one, first, 'VIDEO');
  flow(one, first, 'VIDEO');
  await soon(one.asked).toEqual(['create', 'create', 'record']);
});

test('viewers, who send nothing, are not recorded', async () => {
  const one = await recording(broadcast.sessions(3)[0]);
  expect(one.asked()).toEqual(['create']);
});

test('recordings are ended before what they are made of is released', async () => {
  const one = await recording(oneToOne.sessions(1)[0]);
  for (const endpoint of created(one, 'WebRtcEndpoint')) {
    flow(one, endpoint, 'AUDIO');
    flow(one, endpoint, 'VIDEO');
  }
  await soon(() => one.asked().filter((what) => what === 'record')).toHaveLength(2);
  await one.server.recordings?.stop();
  await one.session.close();
  const order = one.kurento.requests.flatMap(({ method, params }) =>
    method === 'release' ? ['release'] : params.operation === 'stopAndWait' ? ['stopAndWait'] : [],
  );
  expect(order).toEqual(['stopAndWait', 'stopAndWait', 'release']);
});

test('a file that the server cannot write, and media that never came, are told by participant', async () => {
  const one = await recording(oneToOne.sessions(1)[0]);
  const [first] = created(one, 'WebRtcEndpoint');
  flow(one, first, 'AUDIO');
  flow(one, first, 'VIDEO');
  await soon(one.asked).toContain('record');
  const error = { type: 'RESOURCE_ERROR_OPEN', errorCode: 6, description: 'Could not open file' };
  one.kurento.say(created(one, 'RecorderEndpoint')[0] ?? '', 'Error', error);
  await one.server.recordings?.stop();
  const checked = await one.server.recordings?.check(nobody, signal);
  expect(checked?.faults).toEqual([
    { participant: '1b', detail: 'was never begun: no audio and no video of it came to the server' },
    { participant: '1a', detail: expect.stringContaining('failed on the media server') },
  ]);
  expect(checked?.faults[1]?.detail).toContain('Could not open file');
});

test('a server that refuses to record is a fault of that recording, not of the call', async () => {
  const refuse: Script = ({ params }) =>
    params.operation === 'record' ? { error: { code: 40101, message: 'Object not found' } } : undefined;
  const one = await recording(oneToOne.sessions(1)[0], refuse);
  for (const endpoint of created(one, 'WebRtcEndpoint')) {
    flow(one, endpoint, 'AUDIO');
    flow(one, endpoint, 'VIDEO');
  }
  await soon(() => one.asked().filter((what) => what === 'record')).toHaveLength(2);
  await one.server.recordings?.stop();
  const checked = await one.server.recordings?.check(nobody, signal);
  expect(checked?.faults.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('could not be begun'),
    expect.stringContaining('could not be begun'),
  ]);
});

test('what a given-up trial recorded is removed by the next reset', async () => {
  const one = await recording(broadcast.sessions(1)[0]);
  const [endpoint] = created(one, 'WebRtcEndpoint');
  flow(one, endpoint, 'AUDIO');
  flow(one, endpoint, 'VIDEO');
  await soon(one.asked).toContain('record');
  const uri = one.kurento.requests.flatMap(({ params }) => {
    const given = params.constructorParams as { uri?: string } | undefined;
    return given?.uri ?? [];
  })[0];
  const path = fileURLToPath(uri ?? '');
  writeFileSync(path, 'half a file');
  await one.session.close();
  // A server that others use is not waited for until it is idle.
  one.kurento.pipelines.add('1_kurento.MediaPipeline');
  await one.server.reset(signal);
  expect(existsSync(path)).toBe(false);
});

test('without --record no recorder is made', async () => {
  const kurento = await scriptedKurento();
  const server = new KurentoServer({ url: kurento.url, pid: 1 });
  await server.start(signal);
  expect(server.recordings).toBeUndefined();
  await server.stop();
  await kurento.close();
});
