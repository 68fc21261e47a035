import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { mediaSchema } from '../../model/plan.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { LegRequest, ServerOffer, ServerOffers } from '../../model/signalling.js';
import type { Subscribing } from '../../model/subscribing.js';
import { audioRoom } from '../../scenarios/audio-room.js';
import { sfuGroup } from '../../scenarios/group.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { withLayers } from '../../scenarios/with-layers.js';
import { type Script, type ScriptedJanus, type ScriptedRequest, scriptedJanus } from '../../tests/scripted-janus.js';
import { soon } from '../../tests/soon.js';
import type { MediaServer, ServerSession, SessionLegRequest } from '../media-server.js';
import { FeedBook } from './feed-book.js';
import type { JanusOptions } from './janus-options.js';
import { JanusServer } from './janus-server.js';

const { signal } = new AbortController();
const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Started {
  readonly janus: ScriptedJanus;
  readonly server: MediaServer;
  readonly events: ServerEvent[];
}

const usual = { maxVideoKbps: 500, videoCodec: 'vp8', requestTimeoutMs: 500, cleanWithinMs: 300 };

async function started(script?: Script, options: Partial<JanusOptions> = {}): Promise<Started> {
  const janus = await scriptedJanus(script);
  closers.push(() => janus.close());
  const events: ServerEvent[] = [];
  const server = new JanusServer({ url: janus.url, ...usual, ...options });
  closers.push(() => server.stop());
  server.onEvent((event) => events.push(event));
  await server.start(signal);
  return { janus, server, events };
}

async function refusal(work: Promise<unknown>): Promise<LoadlineError> {
  return work.then(
    () => Promise.reject(new Error('should have been rejected')),
    (error: LoadlineError) => error,
  );
}

const aRoom = (subscribing: Subscribing, size = 3): Session =>
  onConnections(sfuGroup(size), subscribing).sessions(1)[0] as Session;

function legOf(session: Session, id: string) {
  for (const participant of session.participants) {
    const leg = participant.legs.find((one) => one.id === id);
    if (leg) return { participant, leg };
  }
  throw new Error(`no leg ${id}`);
}

const quiet = { onCandidate: () => undefined, signal };

const publish = (opened: ServerSession, session: Session, id: string) =>
  opened.join({ ...legOf(session, id), offer: 'the offer', ...quiet });

const waitedFor: unknown[] = [];
const sourcesThere: SessionLegRequest['sourcesThere'] = async (all, up) => void waitedFor.push(all, await up?.());
function subscribe(opened: ServerSession, session: Session, id: string, renegotiate: LegRequest['renegotiate']) {
  const request = { ...legOf(session, id), renegotiate, sourcesThere, ...quiet };
  return opened.begin?.(request) as Promise<ServerOffers>;
}

const unexpected = () => Promise.reject(new Error('nothing further should be offered'));
const bodies = (janus: ScriptedJanus) => janus.requests.flatMap(({ body }) => body ?? []);
const handleOf = (janus: ScriptedJanus, matches: (request: ScriptedRequest) => boolean) =>
  janus.requests.find(matches)?.handle_id;

/** The connection of a publisher is up: from here on others may subscribe. */
function up(janus: ScriptedJanus, display: string): void {
  const sender = handleOf(janus, ({ body }) => body?.display === display);
  janus.send({ janus: 'webrtcup', sender });
}

test('a Janus is told by its version, and a session of it is a room that holds senders to their rate', async () => {
  const { janus, server } = await started(undefined, { secrets: { api: 's3', roomKey: 'k' } });
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  await publish(opened, session, '1a');
  const [create] = bodies(janus).filter(({ request }) => request === 'create');
  expect(create).toMatchObject({
    publishers: 3,
    bitrate: 500_000,
    bitrate_cap: true,
    videocodec: 'vp8',
    admin_key: 'k',
  });
  const told = janus.requests.filter((request) => request.janus !== 'info');
  expect(told.every(({ apisecret }) => apisecret === 's3')).toBe(true);
  expect(bodies(janus).at(-1)).toMatchObject({ request: 'joinandconfigure', ptype: 'publisher', id: 1, display: '1a' });
});

test('what an event answers is not taken for answered by its acknowledgement, whichever comes first', async () => {
  for (const order of [['ack', 'event'] as const, ['event', 'ack'] as const]) {
    const { server } = await started(({ janus, body, handle_id: sender }) => {
      if (janus !== 'message' || body?.request !== 'joinandconfigure') return undefined;
      const event = { sender, plugindata: { plugin: 'p', data: {} }, jsep: { type: 'answer', sdp: order.join() } };
      return order.map((name) => (name === 'ack' ? { janus: 'ack' } : { janus: 'event', ...event }));
    });
    const session = aRoom('one');
    const opened = await server.openSession(session, signal);
    expect((await publish(opened, session, '1a')).answer).toBe(order.join());
  }
});

test('one connection for all begins with those who are there, and each who comes is offered on it in turn', async () => {
  const { janus, server } = await started();
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  const offers: ServerOffer[] = [];
  waitedFor.length = 0;
  const beginning = subscribe(opened, session, '1c:from-all', async (offer) => {
    offers.push(offer);
    return 'the next answer';
  });
  for (const id of ['1a', '1b']) await publish(opened, session, id);
  expect(bodies(janus).filter(({ request }) => request === 'join')).toEqual([]);
  up(janus, '1a');
  const first = await beginning;
  expect(waitedFor).toEqual(['any', ['1a']]);
  expect(first.places).toEqual([
    { mid: '0', stream: '1a' },
    { mid: '1', stream: '1a' },
  ]);
  await first.answer('an answer');
  up(janus, '1b');
  await soon(() => offers.map(({ places }) => places?.[0]?.stream)).toEqual(['1b']);
  await soon(() => janus.requests.flatMap(({ jsep }) => jsep?.sdp ?? [])).toContain('the next answer');
  expect(bodies(janus).filter(({ request }) => request === 'subscribe')).toMatchObject([{ streams: [{ feed: 2 }] }]);
});

test('a layer that is asked for is asked for by the number of its substream, of each publisher', async () => {
  const simulcast = { rids: ['l', 'm', 'h'], asked: 'middle' } as const;
  const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500, simulcast });
  for (const subscribing of ['one', 'each'] as const) {
    const { janus, server } = await started();
    const session = withLayers(onConnections(sfuGroup(2), subscribing), media).sessions(1)[0] as Session;
    const opened = await server.openSession(session, signal);
    const beginning = subscribe(opened, session, '1b:from-1a', async () => 'an answer');
    await publish(opened, session, '1a');
    up(janus, '1a');
    await beginning;
    const joins = bodies(janus).filter(({ ptype }) => ptype === 'subscriber');
    expect(joins).toMatchObject([{ streams: [{ feed: 1, substream: 1 }] }]);
  }
});

test('what Janus offers by itself, because somebody left, is answered, too', async () => {
  const { janus, server } = await started();
  const session = aRoom('one', 2);
  const opened = await server.openSession(session, signal);
  const beginning = subscribe(opened, session, '1b:from-1a', async () => 'without them');
  await publish(opened, session, '1a');
  up(janus, '1a');
  await (await beginning).answer('an answer');
  const sender = handleOf(janus, ({ body }) => body?.ptype === 'subscriber');
  const data = { videoroom: 'updated', streams: [] };
  janus.send({ janus: 'event', sender, plugindata: { plugin: 'p', data }, jsep: { type: 'offer', sdp: 'less' } });
  await soon(() => janus.requests.flatMap(({ jsep }) => jsep?.sdp ?? [])).toContain('without them');
});

test('a publisher that closed its connection is named with the offer that lacks it, though Janus says so after it', async () => {
  const { janus, server } = await started();
  const session = aRoom('one', 2);
  const opened = await server.openSession(session, signal);
  const offers: ServerOffer[] = [];
  const beginning = subscribe(opened, session, '1b:from-1a', async (offer) => {
    offers.push(offer);
    return 'without them';
  });
  await publish(opened, session, '1a');
  up(janus, '1a');
  await (await beginning).answer('an answer');
  const sender = handleOf(janus, ({ body }) => body?.ptype === 'subscriber');
  const data = { videoroom: 'updated', streams: [{ mid: '0' }, { mid: '1' }] };
  janus.send({ janus: 'event', sender, plugindata: { plugin: 'p', data }, jsep: { type: 'offer', sdp: 'less' } });
  const left = handleOf(janus, ({ body }) => body?.display === '1a');
  janus.send({ janus: 'hangup', sender: left, reason: 'DTLS alert' });
  await soon(() => offers).toEqual([{ offer: 'less', places: [], ended: ['1a'] }]);
});

test('who did not leave is not said to have left, however long that is waited for', async () => {
  const feeds = new FeedBook();
  feeds.put('1a', 1);
  feeds.put('1b', 2);
  feeds.leave('1a');
  expect(await feeds.leftOf(['1a', '1b'], 10)).toEqual(['1a']);
  feeds.put('1a', 1);
  expect(await feeds.leftOf(['1a'], 10)).toEqual([]);
});

test('with a connection each, every one waits for its own publisher alone', async () => {
  const { janus, server } = await started();
  const session = aRoom('each');
  const opened = await server.openSession(session, signal);
  const done: string[] = [];
  for (const id of ['1c:from-1a', '1c:from-1b']) {
    void subscribe(opened, session, id, unexpected).then(() => done.push(id));
  }
  await publish(opened, session, '1b');
  up(janus, '1b');
  await soon(() => done).toEqual(['1c:from-1b']);
});

test('a refusal says what it means, and the code and text of Janus', async () => {
  const full = { error_code: 432, error: 'Maximum number of publishers (1) already reached' };
  const { server } = await started(({ body, handle_id: sender }) =>
    body?.request === 'joinandconfigure'
      ? [{ janus: 'event', sender, plugindata: { plugin: 'p', data: { videoroom: 'event', ...full } } }]
      : undefined,
  );
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  const error = await refusal(publish(opened, session, '1a'));
  expect(error).toMatchObject({ code: 'E_SERVER_REFUSED', why: `error 432: ${full.error}` });
  expect(error.message).toContain('as many publishers as it may have');
});

test('a wrong secret is said with the variable that holds it, and the secret itself is not', async () => {
  const reason = 'Unauthorized request (wrong or missing secret/token)';
  const error = await refusal(
    started(({ janus }) => (janus === 'create' ? [{ janus: 'error', error: { code: 403, reason } }] : undefined), {
      secrets: { api: 'not-this-one' },
    }),
  );
  expect(error).toMatchObject({ code: 'E_SERVER_REFUSED', why: `error 403: ${reason}` });
  expect(error.todo).toContain('LOADLINE_JANUS_API_SECRET');
  expect(JSON.stringify(error)).not.toContain('not-this-one');
});

test('what is no Janus, has no VideoRoom, or never answers is told apart', async () => {
  const of = async (script: Script) => refusal(started(script, { connectTimeoutMs: 200 }));
  const info =
    (plugins: object): Script =>
    ({ janus }) =>
      janus === 'info' ? [{ janus: 'server_info', version_string: '1.1.2', plugins }] : undefined;
  expect(await of(() => [{ hello: 'world' }])).toMatchObject({ code: 'E_SERVER_PROTOCOL' });
  expect((await of(info({ 'janus.plugin.echotest': {} }))).why).toContain('janus.plugin.echotest');
  expect(await of(() => [])).toMatchObject({ code: 'E_SERVER_PROTOCOL', why: 'no answer in 0.2 s' });
  expect(await of(() => 'hang-up')).toMatchObject({ code: 'E_SERVER_PROTOCOL' });
});

test('a request that Janus leaves without an answer ends in time, with its name', async () => {
  const { server } = await started(({ body }) =>
    body?.request === 'joinandconfigure' ? [{ janus: 'ack' }] : undefined,
  );
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  const error = await refusal(publish(opened, session, '1a'));
  expect(error).toMatchObject({ code: 'E_SERVER_TIMEOUT', message: 'Janus did not answer "joinandconfigure".' });
});

test('a connection that is lost is an event at once, and ends what was asked', async () => {
  const { janus, server, events } = await started(({ body }) => (body?.request === 'create' ? [] : undefined));
  const opening = refusal(server.openSession(aRoom('one'), signal));
  await soon(() => bodies(janus).some(({ request }) => request === 'create')).toBe(true);
  janus.hangUp();
  expect(await opening).toMatchObject({ code: 'E_SERVER_LOST' });
  expect(events.map(({ kind }) => kind)).toContain('lost');
});

test('what Janus says of a connection is told in words that all servers share', async () => {
  const { janus, server, events } = await started();
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  await publish(opened, session, '1a');
  const sender = handleOf(janus, ({ body }) => body?.display === '1a');
  janus.send({ janus: 'webrtcup', sender });
  janus.send({ janus: 'media', sender, type: 'video', receiving: true });
  janus.send({ janus: 'slowlink', sender, media: 'video', uplink: true, lost: 12 });
  janus.send({ janus: 'hangup', sender, reason: 'DTLS alert' });
  await soon(() => events.length).toBe(4);
  const [upEvent, media, slow, hangup] = events;
  expect(upEvent).toMatchObject({ kind: 'connection', leg: '1a', state: 'webrtcup' });
  expect(media).toMatchObject({ kind: 'flow', leg: '1a', from: 'participant', media: 'video', flows: true });
  expect(slow).toMatchObject({ name: 'slow_link', detail: 'video from the participant: 12 packets lost in a second' });
  expect(hangup).toMatchObject({ kind: 'connection', leg: '1a', state: 'hangup: DTLS alert' });
});

test('a reset destroys rooms that runs of this host left, and leaves those of others alone', async () => {
  const { janus, server } = await started();
  const { hostname } = await import('node:os');
  janus.rooms.set(1, { description: `loadline ${hostname()} 999999999`, participants: 0 });
  janus.rooms.set(2, { description: 'loadline another-host 17', participants: 2 });
  janus.rooms.set(3, { description: 'Demo Room', participants: 0 });
  await server.openSession(aRoom('one'), signal);
  expect(janus.rooms.size).toBe(4);
  const proof = await server.reset(signal);
  expect([...janus.rooms.keys()]).toEqual([2, 3]);
  expect(proof).toMatchObject({ how: 'listed', released: 1, foreign: 1 });
});

test('with the Admin API a session that Janus still lists is no clean server, and sessions of others are counted', async () => {
  let stays = false;
  const script: Script = ({ janus }) => (janus === 'destroy' && stays ? [{ janus: 'success' }] : undefined);
  const place = await scriptedJanus(script);
  closers.push(() => place.close());
  const server = new JanusServer({
    url: place.url,
    ...usual,
    adminUrl: `ws://127.0.0.1:${place.port}`,
    secrets: { admin: 'a' },
  });
  closers.push(() => server.stop());
  await server.start(signal);
  place.sessions.add(7);
  await (await server.openSession(aRoom('one'), signal)).close();
  expect(await server.reset(signal)).toMatchObject({ how: 'listed', foreign: 1 });
  stays = true;
  await (await server.openSession(aRoom('one'), signal)).close();
  const error = await refusal(server.reset(signal));
  expect(error).toMatchObject({ code: 'E_NOT_CLEAN', message: 'The Janus still holds 1 rooms and sessions of ours.' });
});

test('closing a session ends its room and its handles, and what Janus says of that is no event', async () => {
  const { janus, server, events } = await started();
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  await publish(opened, session, '1a');
  const sender = handleOf(janus, ({ body }) => body?.display === '1a');
  await Promise.all([opened.close(), opened.close()]);
  janus.send({ janus: 'hangup', sender, reason: 'Close PC' });
  await server.reset(signal);
  expect(janus.rooms.size).toBe(0);
  expect(janus.sessions.size).toBe(1);
  expect(janus.requests.filter((one) => one.janus === 'destroy')).toHaveLength(1);
  expect(events).toEqual([]);
});

test('one of a room leaves by the end of its handle while the room stays, and all that was said is counted', async () => {
  const { janus, server } = await started();
  const session = aRoom('one');
  const opened = await server.openSession(session, signal);
  const before = server.traffic?.();
  await publish(opened, session, '1a');
  await publish(opened, session, '1b');
  await opened.leave?.(['1a', '1a:from-all', 'nobody']);
  const said = janus.requests.slice(-5).map((request) => request.janus);
  expect(said).toEqual(['attach', 'message', 'attach', 'message', 'detach']);
  expect(janus.requests.at(-1)?.handle_id).toBe(handleOf(janus, ({ body }) => body?.display === '1a'));
  expect(janus.rooms.size).toBe(1);
  const after = server.traffic?.();
  const grown = (name: keyof NonNullable<typeof after>) => (after?.[name] ?? 0) - (before?.[name] ?? 0);
  // A message to a plugin is acknowledged and then answered.
  expect([grown('roundTrips'), grown('sentMessages'), grown('receivedMessages')]).toEqual([5, 5, 7]);
  const frames = janus.requests.slice(-5).map((request) => Buffer.byteLength(JSON.stringify(request)));
  expect(grown('sentBytes')).toBe(frames.reduce((sum, bytes) => sum + bytes, 0));
});

test('a room of sound is one of AudioBridge, in which each member joins and then negotiates', async () => {
  const { janus, server, events } = await started();
  const [session] = audioRoom(2).sessions(1) as [Session];
  const opened = await server.openSession(session, signal);
  expect((await publish(opened, session, '1a')).answer).toBe('the answer');
  const told = bodies(janus).filter(({ request }) => request !== 'list');
  expect(told.map(({ request }) => request)).toEqual(['create', 'join', 'configure']);
  expect([...janus.rooms.values()]).toMatchObject([{ bridge: true }]);
  const sender = handleOf(janus, ({ body }) => body?.display === '1a');
  janus.send({ janus: 'webrtcup', sender });
  await soon(() => events).toMatchObject([{ kind: 'connection', leg: '1a', state: 'webrtcup' }]);
  expect(await server.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
  expect(janus.rooms.size).toBe(0);
});

test('Janus records from the first packet on, a file must last from when all has come, and each stream has a file of its own', async () => {
  const { janus, server, events } = await started(undefined, { record: true });
  const session = aRoom('one', 2);
  const opened = await server.openSession(session, signal);
  await publish(opened, session, '1a');
  await publish(opened, session, '1b');
  const joined = bodies(janus).filter(({ request }) => request === 'joinandconfigure');
  const filename = expect.stringMatching(/^\/.*1[ab]-\d$/);
  expect(joined).toMatchObject([1, 2].map(() => ({ record: true, filename })));
  const sender = handleOf(janus, ({ body }) => body?.display === '1a');
  const configured = () => bodies(janus).filter(({ request }) => request === 'configure');
  janus.send({ janus: 'media', sender, type: 'audio', receiving: true });
  await server.resources?.();
  expect(events.map(({ kind }) => kind)).not.toContain('recording-begun');
  janus.send({ janus: 'media', sender, type: 'video', receiving: true });
  await soon(() => events.map(({ kind }) => kind)).toContain('recording-begun');
  await server.recordings?.stop();
  expect(configured()).toMatchObject([{ record: false }]);
  const checked = await server.recordings?.check({ sentFps: new Map() }, signal);
  expect(checked?.files).toBe(4);
  const never = 'was never begun: no audio and no video of it came to the server';
  expect(checked?.faults).toEqual([1, 2].map(() => ({ participant: '1b', detail: never })).concat(lost));
});

/** The scripted server writes none. */
const lost = [1, 2].map(() => ({ participant: '1a', detail: 'does not exist' }));
