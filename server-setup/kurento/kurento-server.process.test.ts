import { hostname } from 'node:os';
import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import { type ServerEvent, serverEventText } from '../../model/server-event.js';
import type { IceCandidate, NegotiationRequest } from '../../model/signalling.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { type Script, type ScriptedKurento, scriptedKurento } from '../../tests/scripted-kurento.js';
import { soon } from '../../tests/soon.js';
import type { MediaServer } from '../media-server.js';
import { kurentoAbilities } from './abilities.js';
import type { KurentoOptions } from './kurento-options.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;

const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Setup {
  readonly scripted: ScriptedKurento;
  readonly server: MediaServer;
  readonly events: ServerEvent[];
}

async function started(script?: Script, options: Partial<KurentoOptions> = {}): Promise<Setup> {
  const scripted = await scriptedKurento(script);
  const server = new KurentoServer({ url: scripted.url, ...options });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  closers.push(scripted.close, () => server.stop());
  await server.start(signal);
  return { scripted, server, events };
}

function offerOf(index: number, onCandidate: (candidate: IceCandidate) => void = () => undefined): NegotiationRequest {
  const participant = call.participants[index];
  const leg = participant?.legs[0];
  if (participant === undefined || leg === undefined) throw new Error('no such participant');
  return { participant, leg, offer: 'v=0\r\n', onCandidate, signal };
}

const failure = (work: Promise<unknown>): Promise<LoadlineError> =>
  work.then(
    () => {
      throw new Error('it should have been rejected');
    },
    (error: LoadlineError) => error,
  );
const operationIs = (name: string) => (request: { params: Readonly<Record<string, unknown>> }) =>
  request.params.operation === name;

test('start says what the server is', async () => {
  const { server, scripted } = await started();
  const facts = await new KurentoServer({ url: scripted.url }).start(signal);
  expect(facts).toEqual({
    kind: 'kurento',
    name: 'kurento 7.3.0',
    version: '7.3.0',
    nature: 'product',
    abilities: kurentoAbilities,
    url: scripted.url,
    sameHost: true,
  });
  expect(server.resources).toBeDefined();
});

test('a refused call rejects with code, type, message and operation, where the client alone would resolve', async () => {
  const { server } = await started((request) =>
    operationIs('processOffer')(request)
      ? { error: { code: 40201, type: 'SDP_PARSE_ERROR', message: 'Invalid SDP' } }
      : undefined,
  );
  const session = await server.openSession(call, signal);
  const error = await failure(session.join(offerOf(0)));
  expect(error.code).toBe('E_SERVER_REFUSED');
  expect(error.message).toBe(
    'The media server refused "processOffer of WebRtcEndpoint": Invalid SDP (40201 SDP_PARSE_ERROR)',
  );
});

test('a join that fails leaves no endpoint behind', async () => {
  const { server, scripted } = await started((request) =>
    operationIs('processOffer')(request) ? { error: { code: 40201, message: 'no' } } : undefined,
  );
  const session = await server.openSession(call, signal);
  await failure(session.join(offerOf(0)));
  const released = scripted.requests.filter(({ method }) => method === 'release').map(({ params }) => params.object);
  expect(released).toEqual([expect.stringContaining('WebRtcEndpoint')]);
});

test('a request that is not answered rejects after its bound and names the call', async () => {
  const { server } = await started((request) => (operationIs('processOffer')(request) ? 'silence' : undefined), {
    requestTimeoutMs: 150,
  });
  const session = await server.openSession(call, signal);
  const error = await failure(session.join(offerOf(0)));
  expect(error.code).toBe('E_SERVER_TIMEOUT');
  expect(error.message).toContain('processOffer of WebRtcEndpoint');
});

test('a failed subscription rejects the join and does not end the process', async () => {
  const { server } = await started((request) =>
    request.method === 'subscribe' && request.params.type === 'MediaFlowInStateChanged'
      ? { error: { code: 40106, type: 'MEDIA_OBJECT_EVENT_NOT_SUPPORTED', message: 'not supported' } }
      : undefined,
  );
  const session = await server.openSession(call, signal);
  const error = await failure(session.join(offerOf(0)));
  expect(error.code).toBe('E_SERVER_REFUSED');
  expect(error.message).toContain('subscribe to MediaFlowInStateChanged of WebRtcEndpoint');
});

test('endpoint 30 being refused fails that join alone', async () => {
  let endpoints = 0;
  const { server } = await started((request) => {
    if (request.params.type !== 'WebRtcEndpoint' || request.method !== 'create') return undefined;
    endpoints += 1;
    return endpoints === 30
      ? { error: { code: 40009, type: 'NOT_ENOUGH_RESOURCES', message: 'Too many threads' } }
      : undefined;
  });
  const sessions = await Promise.all(oneToOne.sessions(16).map((session) => server.openSession(session, signal)));
  const outcomes: string[] = [];
  for (const session of sessions) {
    for (const index of [0, 1]) {
      outcomes.push(
        await session.join(offerOf(index)).then(
          () => 'joined',
          (e: LoadlineError) => e.message,
        ),
      );
    }
  }
  expect(outcomes.filter((outcome) => outcome !== 'joined')).toEqual([
    'The media server refused "create WebRtcEndpoint": Too many threads (40009 NOT_ENOUGH_RESOURCES)',
  ]);
  expect(outcomes[29]).not.toBe('joined');
});

test('a connection lost in mid-call rejects the call at once and is told', async () => {
  const { server, events } = await started((request) => (operationIs('processOffer')(request) ? 'hang-up' : undefined));
  const session = await server.openSession(call, signal);
  const startedAtMs = performance.now();
  const error = await failure(session.join(offerOf(0)));
  expect(error.code).toBe('E_SERVER_LOST');
  expect(performance.now() - startedAtMs).toBeLessThan(1000);
  expect(events.map(({ kind }) => kind)).toContain('lost');
});

test('after a reconnection to the same session, calls work again', async () => {
  const { server, events, scripted } = await started();
  const session = await server.openSession(call, signal);
  scripted.hangUp();
  await soon(() => events.map(({ kind }) => kind)).toEqual(['lost', 'reconnected']);
  await session.join(offerOf(0));
  const resumed = scripted.requests.find(({ method }) => method === 'connect');
  expect(resumed?.params.sessionId).toBe('93f2cf13-84a9-441f-9b57-32831559a17d');
});

test('a server that has restarted makes the session lost', async () => {
  const { events, scripted } = await started((request) =>
    request.method === 'connect'
      ? { error: { code: 40007, type: 'INVALID_SESSION', message: 'Invalid session' } }
      : undefined,
  );
  scripted.hangUp();
  await soon(() => events.map(({ kind }) => kind)).toEqual(['lost', 'sessions-lost']);
});

test('while there is no connection, calls reject at once', async () => {
  const { server, scripted, events } = await started();
  const session = await server.openSession(call, signal);
  await scripted.close();
  await soon(() => events.length).toBeGreaterThan(0);
  const startedAtMs = performance.now();
  expect((await failure(session.join(offerOf(0)))).code).toBe('E_SERVER_LOST');
  expect(performance.now() - startedAtMs).toBeLessThan(500);
});

test('candidates that come before the answer are handed on', async () => {
  const { server } = await started((request, say) => {
    if (operationIs('processOffer')(request)) {
      const candidate = { __module__: 'kurento', candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 };
      say(String(request.params.object), 'IceCandidateFound', { candidate });
    }
    return undefined;
  });
  const session = await server.openSession(call, signal);
  const candidates: IceCandidate[] = [];
  await session.join(offerOf(0, (candidate) => candidates.push(candidate)));
  expect(candidates).toEqual([{ candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 }]);
});

test('an endpoint is subscribed to before it gets the offer, and gathers after it', async () => {
  const { server, scripted } = await started();
  const session = await server.openSession(call, signal);
  await session.join(offerOf(0));
  const acts = scripted.requests
    .filter(({ params }) => String(params.object).includes('WebRtcEndpoint'))
    .map(({ method, params }) => (method === 'invoke' ? params.operation : method));
  expect(acts.lastIndexOf('subscribe')).toBeLessThan(acts.indexOf('processOffer'));
  expect(acts.indexOf('processOffer')).toBeLessThan(acts.indexOf('gatherCandidates'));
});

test('a call is connected crosswise, audio and video, once both are there', async () => {
  const { server, scripted } = await started();
  const session = await server.openSession(call, signal);
  const connections = () =>
    scripted.requests.filter(operationIs('connect')).map(({ params }) => {
      const { sink, mediaType } = params.operationParams as { sink: string; mediaType: string };
      return `${String(params.object)} → ${sink} ${mediaType}`;
    });
  await session.join(offerOf(0));
  expect(connections()).toEqual([]);
  await session.join(offerOf(1));
  const [a, b] = scripted.requests.filter(operationIs('processOffer')).map(({ params }) => String(params.object));
  expect(connections().sort()).toEqual(
    [`${a} → ${b} AUDIO`, `${a} → ${b} VIDEO`, `${b} → ${a} AUDIO`, `${b} → ${a} VIDEO`].sort(),
  );
});

test('a candidate of the probe goes out as a complex type', async () => {
  const { server, scripted } = await started();
  const joined = await (await server.openSession(call, signal)).join(offerOf(0));
  await joined.addCandidate({ candidate: 'candidate:9', sdpMid: '1', sdpMLineIndex: 1 });
  const sent = scripted.requests.find(operationIs('addIceCandidate'))?.params.operationParams;
  expect(sent).toEqual({
    candidate: {
      __module__: 'kurento',
      __type__: 'IceCandidate',
      candidate: 'candidate:9',
      sdpMid: '1',
      sdpMLineIndex: 1,
    },
  });
});

test('a mix gives each leg a port of a Composite, in both directions', async () => {
  const { server, scripted } = await started();
  const session = await server.openSession({ ...call, shape: 'mix' }, signal);
  await session.join(offerOf(0));
  const created = scripted.requests.filter(({ method }) => method === 'create').map(({ params }) => params.type);
  expect(created).toEqual(['MediaPipeline', 'Composite', 'WebRtcEndpoint', 'HubPort']);
  expect(scripted.requests.filter(operationIs('connect'))).toHaveLength(4);
});

test('what an endpoint says becomes an event of its leg, in the words of this tool', async () => {
  const { server, scripted, events } = await started();
  await (await server.openSession(call, signal)).join(offerOf(0));
  const endpoint = String(scripted.requests.find(operationIs('processOffer'))?.params.object);
  scripted.say(endpoint, 'MediaTranscodingStateChanged', { mediaType: 'VIDEO', state: 'TRANSCODING', binName: 'x' });
  scripted.say(endpoint, 'MediaFlowOutStateChanged', { mediaType: 'AUDIO', state: 'NOT_FLOWING', padName: 'x' });
  scripted.say(endpoint, 'ConnectionStateChanged', { newState: 'DISCONNECTED', oldState: 'CONNECTED' });
  scripted.say(endpoint, 'Error', { description: 'no port', errorCode: 4, type: 'UNEXPECTED_ELEMENT_ERROR' });
  scripted.say(endpoint, 'ElementConnected', { sink: 'x' });
  await soon(() => events.length).toBe(5);
  const of = { leg: offerOf(0).leg.id, atMs: expect.any(Number) };
  expect(events).toEqual([
    { kind: 'transcoding', media: 'video', begun: true, ...of },
    { kind: 'flow', from: 'participant', media: 'audio', flows: false, ...of },
    { kind: 'connection', state: 'disconnected', was: 'connected', ...of },
    { kind: 'failed', of: 'leg', detail: 'UNEXPECTED_ELEMENT_ERROR (4): no port', ...of },
    { kind: 'other', name: 'ElementConnected', detail: expect.stringContaining('"sink":"x"'), ...of },
  ]);
});

test('fifty requests at once stay fifty frames', async () => {
  const { server, scripted } = await started();
  await Promise.all(oneToOne.sessions(50).map((session) => server.openSession(session, signal)));
  expect(scripted.pipelines.size).toBe(50);
});

test('reset releases what sessions left and proves that nothing is there', async () => {
  const { server, scripted } = await started();
  await Promise.all(oneToOne.sessions(3).map((session) => server.openSession(session, signal)));
  expect(scripted.pipelines.size).toBe(3);
  scripted.pipelines.add('elsewhere_kurento_MediaPipeline');
  expect(await server.resources?.()).toMatchObject({ sessions: 4 });
  scripted.pipelines.delete('elsewhere_kurento_MediaPipeline');
  expect(await server.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0, idleCores: 0.04 });
  expect(scripted.pipelines.size).toBe(0);
});

test('a server that stays busy with no session does not come clean, and the value seen is told', async () => {
  const { server } = await started((request) => (operationIs('getUsedCpu')(request) ? { value: 42 } : undefined), {
    idleWithinMs: 100,
  });
  const error = await failure(server.reset(signal));
  expect(error.code).toBe('E_NOT_CLEAN');
  expect(error.why).toContain('still uses 0.42 cores');
});

test('a server that keeps a pipeline after its release does not come clean', async () => {
  const { server } = await started((request) => (request.method === 'release' ? { value: null } : undefined), {
    cleanWithinMs: 200,
  });
  await server.openSession(call, signal);
  const error = await failure(server.reset(signal));
  expect(error.code).toBe('E_NOT_CLEAN');
  expect(error.why).toContain('_kurento.MediaPipeline');
});

test('at start, orphans of a dead run of this machine are released; others are left alone and told', async () => {
  const tags: Readonly<Record<string, string>> = {
    dead_kurento_MediaPipeline: `${hostname()} 4194305`,
    elsewhere_kurento_MediaPipeline: 'another-host 7',
    nobodys_kurento_MediaPipeline: '',
  };
  const scripted = await scriptedKurento((request) =>
    operationIs('getTag')(request) ? { value: tags[String(request.params.object)] } : undefined,
  );
  for (const id of Object.keys(tags)) scripted.pipelines.add(id);
  const server = new KurentoServer({ url: scripted.url });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  closers.push(scripted.close, () => server.stop());
  await server.start(signal);
  expect([...scripted.pipelines]).toEqual(['elsewhere_kurento_MediaPipeline', 'nobodys_kurento_MediaPipeline']);
  expect(events.map((event) => `${event.kind}: ${serverEventText(event)}`)).toEqual([
    'orphans-released: 1 sessions of an earlier run',
    'foreign-sessions: 2 sessions of others are on this server and were left alone',
  ]);
  const methods = scripted.requests.filter(({ params }) => String(params.object).startsWith('nobodys'));
  expect(methods.map(({ method }) => method)).toEqual(['invoke', 'unref']);
});

test('a pipeline whose creation was given up is released when it comes after all', async () => {
  const { server, scripted } = await started((request) => (request.method === 'create' ? 'silence' : undefined), {
    requestTimeoutMs: 100,
  });
  expect((await failure(server.openSession(call, signal))).code).toBe('E_SERVER_TIMEOUT');
  const id = scripted.requests.find(({ method }) => method === 'create')?.id;
  scripted.send({ id, jsonrpc: '2.0', result: { sessionId: 's', value: 'late_kurento.MediaPipeline' } });
  await soon(() =>
    scripted.requests.filter(({ method }) => method === 'release').map(({ params }) => params.object),
  ).toEqual(['late_kurento.MediaPipeline']);
});

test('error 40101 at the release of a session rejects the close and nothing else', async () => {
  const { server } = await started((request) =>
    request.method === 'release'
      ? { error: { code: 40101, type: 'MEDIA_OBJECT_NOT_FOUND', message: 'Object not found' } }
      : undefined,
  );
  const [one, two] = await Promise.all([server.openSession(call, signal), server.openSession(call, signal)]);
  const closing = failure(one.close());
  const joining = two.join(offerOf(0));
  expect((await closing).message).toContain('40101 MEDIA_OBJECT_NOT_FOUND');
  await joining;
});

test('resources over the protocol are cores, and the memory the server says is not called resident', async () => {
  const { server } = await started();
  expect(await server.resources?.()).toEqual({
    atMs: expect.any(Number),
    cpuCores: 0.04,
    saidMemoryMb: 404_232 / 1024,
    sessions: 0,
  });
});

test('stop releases what is ours, never rejects, and can be called twice', async () => {
  const { server, scripted } = await started();
  await server.openSession(call, signal);
  await Promise.all([server.stop(), server.stop()]);
  expect(scripted.pipelines.size).toBe(0);
  expect((await failure(server.openSession(call, signal))).code).toBe('E_SERVER_LOST');
});

test('stop with a server that has fallen silent takes no longer than its bound', async () => {
  let silent = false;
  const { server } = await started(() => (silent ? 'silence' : undefined));
  await server.openSession(call, signal);
  silent = true;
  const startedAtMs = performance.now();
  await server.stop();
  expect(performance.now() - startedAtMs).toBeLessThan(4000);
});

test('an aborted join rejects with the reason', async () => {
  const aborting = new AbortController();
  const { server } = await started((request) => (operationIs('processOffer')(request) ? 'silence' : undefined));
  const session = await server.openSession(call, signal);
  const joining = failure(session.join({ ...offerOf(0), signal: aborting.signal }));
  setTimeout(() => aborting.abort(new Error('interrupted')), 50);
  expect((await joining).message).toBe('interrupted');
});
