import {
  ConnectionQualityInfo,
  ConnectionQualityUpdate,
  DisconnectReason,
  LeaveRequest,
  MediaSectionsRequirement,
  SessionDescription,
  SignalTarget,
  TrickleRequest,
  VideoQuality,
} from '@livekit/protocol';
import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { mediaSchema } from '../../model/plan.js';
import type { Scenario, Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { IceCandidate, LegRequest, ServerOffer, ServerOffers } from '../../model/signalling.js';
import { askAgent } from '../../scenarios/agent-room.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { sfuGroup } from '../../scenarios/group.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { withLayers } from '../../scenarios/with-layers.js';
import { type ScriptedLiveKit, scriptedKeys, scriptedLiveKit } from '../../tests/scripted-livekit.js';
import { soon } from '../../tests/soon.js';
import type { ServerSession } from '../media-server.js';
import { tokensBy } from './access-token.js';
import type { LiveKitOptions } from './livekit-options.js';
import { LiveKitServer } from './livekit-server.js';

const { signal } = new AbortController();
const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const picture = { width: 640, height: 360, videoKbps: 500, codec: 'vp8' };

function serverOf(kit: ScriptedLiveKit, env: Readonly<Record<string, string>>, options: Partial<LiveKitOptions> = {}) {
  const tokens = () => tokensBy(env, kit.url);
  const server = new LiveKitServer({
    url: kit.url,
    tokens,
    picture,
    requestTimeoutMs: 500,
    cleanWithinMs: 300,
    ...options,
  });
  closers.push(() => server.stop());
  return server;
}

async function started(behaviour?: Parameters<typeof scriptedLiveKit>[0], options?: Partial<LiveKitOptions>) {
  const kit = await scriptedLiveKit(behaviour);
  closers.push(() => kit.close());
  const events: ServerEvent[] = [];
  const server = serverOf(kit, scriptedKeys, options);
  server.onEvent((event) => events.push(event));
  const facts = await server.start(signal);
  return { kit, server, events, facts };
}

async function refusal(work: Promise<unknown>): Promise<LoadlineError> {
  return work.then(
    () => Promise.reject(new Error('should have been rejected')),
    (error: LoadlineError) => error,
  );
}

const sessionOf = (scenario: Scenario, size = 1): Session =>
  onConnections(scenario, 'one').sessions(size)[0] as Session;
const aRoom = sessionOf(sfuGroup(3));

function legOf(session: Session, id: string) {
  for (const participant of session.participants) {
    const leg = participant.legs.find((one) => one.id === id);
    if (leg) return { participant, leg };
  }
  throw new Error(`no leg ${id}`);
}

const offer = [
  'v=0',
  ...['audio', 'video'].flatMap((kind, mid) => [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF 96`,
    `a=mid:${mid}`,
    'a=sendonly',
    `a=msid:- track-${kind}`,
  ]),
  '',
].join('\r\n');
const unexpected = () => Promise.reject(new Error('nothing further should be offered'));

interface Played {
  readonly onCandidate?: (candidate: IceCandidate) => void;
  readonly renegotiate?: LegRequest['renegotiate'];
  readonly signal?: AbortSignal;
}

function begin(opened: ServerSession, session: Session, id: string, played: Played = {}) {
  const usual = { onCandidate: () => undefined, renegotiate: unexpected, sourcesThere: async () => undefined, signal };
  return opened.begin?.({ ...legOf(session, id), ...usual, ...played });
}

async function publish(opened: ServerSession, session: Session, id: string, played: Played = {}) {
  await begin(opened, session, id, played);
  return opened.join({ ...legOf(session, id), offer, onCandidate: () => undefined, signal, ...played });
}

const subscribe = (opened: ServerSession, session: Session, id: string, played?: Played) =>
  begin(opened, session, id, played) as Promise<ServerOffers>;

test('a LiveKit is told by its version, and what a participant may do in its room stands in its token', async () => {
  const { kit, server, facts } = await started();
  expect(facts).toMatchObject({ kind: 'livekit', name: 'livekit 1.13.5', version: '1.13.5' });
  expect(kit.rooms.size).toBe(0);
  const viewers = sessionOf(broadcast, 1);
  const opened = await server.openSession(viewers, signal);
  for (const { id } of viewers.participants) await begin(opened, viewers, legOf(viewers, id).leg.id);
  const [name = ''] = kit.rooms.keys();
  expect(name).toMatch(/^loadline:[^:]+:\d+:1:[0-9a-f]{8}$/);
  const [presenter, viewer] = kit.tokens.slice(-2);
  expect(presenter).toMatchObject({ iss: 'key', video: { room: name, canPublish: true, canSubscribe: false } });
  expect(viewer).toMatchObject({ sub: viewers.participants[1]?.id, video: { canPublish: false, canSubscribe: true } });
});

test('a participant announces each track that its offer sends, and asks for no sound twice', async () => {
  const { kit, server } = await started();
  const opened = await server.openSession(aRoom, signal);
  expect((await publish(opened, aRoom, '1a')).answer).toBe('the answer');
  const said = kit.heard.filter(({ identity }) => identity === '1a').map(({ message }) => message);
  expect(said.map((one) => one.case)).toEqual(['addTrack', 'addTrack', 'offer']);
  expect(said[0]?.value).toMatchObject({ cid: 'track-audio', disableRed: true, disableDtx: true });
  expect(said[1]?.value).toMatchObject({ cid: 'track-video', width: 640, height: 360, layers: [{ bitrate: 500_000 }] });
});

test('layers are announced with their sizes, and each picture is asked for in one of them, once', async () => {
  const { kit, server } = await started();
  const simulcast = { rids: ['q', 'h', 'f'], asked: 'middle' } as const;
  const media = mediaSchema.parse({ width: 640, height: 360, videoKbps: 500, simulcast });
  const session = withLayers(onConnections(sfuGroup(3), 'one'), media).sessions(1)[0] as Session;
  const opened = await server.openSession(session, signal);
  await publish(opened, session, '1b');
  const said = () => kit.heard.map(({ message }) => message);
  const [, video] = said().flatMap((one) => (one.case === 'addTrack' ? [one.value] : []));
  expect(video?.layers.map(({ quality, width, bitrate }) => [quality, width, bitrate])).toEqual([
    [VideoQuality.HIGH, 640, 340_000],
    [VideoQuality.MEDIUM, 320, 120_000],
    [VideoQuality.LOW, 160, 40_000],
  ]);
  const first = await subscribe(opened, session, '1a:from-all', { renegotiate: async () => 'the next answer' });
  await first.answer('the answer');
  await publish(opened, session, '1c');
  const asked = () => said().flatMap((one) => (one.case === 'trackSetting' ? [one.value] : []));
  await soon(() => asked().map(({ trackSids, quality }) => [...trackSids, quality])).toEqual([
    ['TR_1b', VideoQuality.MEDIUM],
    ['TR_1c', VideoQuality.MEDIUM],
  ]);
});

test('both connections of a participant have one signalling connection, and candidates go each its way', async () => {
  const { kit, server } = await started();
  const opened = await server.openSession(aRoom, signal);
  const found = { published: [] as IceCandidate[], received: [] as IceCandidate[] };
  const agreed = await publish(opened, aRoom, '1a', { onCandidate: (one) => found.published.push(one) });
  const say = (target: SignalTarget, candidate: string) => {
    const candidateInit = JSON.stringify({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
    kit.say('1a', { case: 'trickle', value: new TrickleRequest({ target, candidateInit }) });
  };
  // One that comes before anybody asked for it is kept.
  say(SignalTarget.SUBSCRIBER, 'early');
  say(SignalTarget.PUBLISHER, 'there');
  await soon(() => found.published.length).toBe(1);
  const offered = await subscribe(opened, aRoom, '1a:from-all', { onCandidate: (one) => found.received.push(one) });
  say(SignalTarget.SUBSCRIBER, 'late');
  await soon(() => found.received.map(({ candidate }) => candidate)).toEqual(['early', 'late']);
  await offered.addCandidate({ candidate: 'ours', sdpMid: '0', sdpMLineIndex: 0 });
  await agreed.addCandidate({ candidate: 'ours', sdpMid: '0', sdpMLineIndex: 0 });
  const trickled = () => kit.heard.flatMap(({ message }) => (message.case === 'trickle' ? [message.value.target] : []));
  await soon(trickled).toEqual([SignalTarget.SUBSCRIBER, SignalTarget.PUBLISHER]);
  expect(kit.asked.filter((one) => one === 'GET /rtc')).toHaveLength(2);
});

test('who comes later is offered again on the same connection, and who left by itself is excused', async () => {
  const { server } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1b');
  const offers: ServerOffer[] = [];
  const first = await subscribe(opened, aRoom, '1a:from-all', {
    renegotiate: async (next) => {
      offers.push(next);
      return 'the next answer';
    },
  });
  expect(first.places).toEqual([{ mid: '0', stream: '1b' }]);
  await first.answer('the answer');
  await publish(opened, aRoom, '1c');
  await soon(() => offers.at(-1)?.places?.map(({ stream }) => stream)).toEqual(['1b', '1c']);
  await opened.leave?.(['1b']);
  await soon(() => offers.at(-1)).toMatchObject({ places: [{ stream: '1c' }], ended: ['1b'] });
});

test('over one connection it is offered again whenever the server asks, with the sections that it wants', async () => {
  const section = 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\na=setup:passive\r\na=';
  const answers = ['recvonly', 'sendrecv\r\na=msid:PA_1b|c TR_1b'].map((rest) => `${section}${rest}\r\n`);
  const script = ({ case: what }: { case?: string | undefined }) =>
    what === 'offer'
      ? [{ case: 'answer' as const, value: new SessionDescription({ type: 'answer', sdp: answers.shift() ?? '' }) }]
      : undefined;
  const { kit, server } = await started({ script }, { connections: 'one' });
  const session = onConnections(sfuGroup(2), 'same').sessions(1)[0] as Session;
  const opened = await server.openSession(session, signal);
  await begin(opened, session, '1b');
  const offers: ServerOffer[] = [];
  const renegotiate = async (one: ServerOffer) => {
    offers.push(one);
    return 'it goes nowhere';
  };
  const { answer } = await publish(opened, session, '1a', { renegotiate });
  expect(answer).toContain('a=recvonly');
  kit.say('1a', { case: 'mediaSectionsRequirement', value: new MediaSectionsRequirement({ numVideos: 1 }) });
  await soon(() => offers).toEqual([
    { offer: expect.stringContaining('a=setup:actpass'), places: [{ mid: '1', stream: '1b' }] },
  ]);
  const offered = kit.heard.flatMap(({ message }) => (message.case === 'offer' ? [message.value] : []));
  expect(offered.map(({ id, sdp }) => `${id}: ${sdp.match(/^m=video/gm)?.length}`)).toEqual(['1: 1', '2: 2']);
  expect(kit.asked.filter((one) => one === 'GET /rtc/v1')).toHaveLength(3);
});

test('an agent that has a name is called into rooms in which one is to answer, and who asks has one connection', async () => {
  const { kit, server } = await started({}, { agent: 'clerk' });
  await server.openSession(aRoom, signal);
  expect(kit.agents).toEqual([]);
  const [call] = askAgent.sessions(1) as [Session];
  const opened = await server.openSession(call, signal);
  expect(kit.agents).toEqual(['clerk']);
  expect(await begin(opened, call, '1a')).toEqual({ by: 'probe' });
  expect(kit.asked.at(-1)).toBe('GET /rtc/v1');
  expect(kit.tokens.at(-1)).toMatchObject({ video: { canPublish: true, canSubscribe: true } });
});

test('a server that has no single connection is told by name', async () => {
  const http = (path: string) => (path.startsWith('/rtc/v1') ? { status: 404, text: '404 page not found' } : undefined);
  const kit = await scriptedLiveKit({ http });
  closers.push(() => kit.close());
  const error = await refusal(serverOf(kit, scriptedKeys, { connections: 'one' }).start(signal));
  expect(error.message).toBe('The LiveKit has no single connection for both ways.');
});

test('who was sent away is not excused, and why it was is told by name', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1b');
  kit.say('1b', { case: 'leave', value: new LeaveRequest({ reason: DisconnectReason.SERVER_SHUTDOWN }) });
  const detail = 'sent away: SERVER_SHUTDOWN: the server is shutting down';
  await soon(() => events).toContainEqual(expect.objectContaining({ kind: 'failed', leg: '1b', detail }));
  const late = await refusal(opened.join({ ...legOf(aRoom, '1b'), offer, onCandidate: () => undefined, signal }));
  expect(late).toMatchObject({ code: 'E_SERVER_REFUSED', why: 'SERVER_SHUTDOWN: the server is shutting down' });
});

test('a server that dies takes its sessions with it: that is told once, with why', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  await publish(opened, aRoom, '1b');
  await kit.close();
  await soon(() => events.filter(({ kind }) => kind === 'lost')).toHaveLength(1);
  expect(await refusal(server.reset(signal))).toMatchObject({ code: 'E_SERVER_UNREACHABLE' });
});

test('a server that was started anew in mid-trial has lost the rooms of the trial', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  kit.rooms.clear();
  kit.hangUp();
  await soon(() => events.map(({ kind }) => kind)).toContain('sessions-lost');
});

test('rooms of a run are deleted and listed as gone, others are left alone and counted', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  kit.rooms.set('a room of somebody', 2);
  kit.rooms.set(`loadline:${(await import('node:os')).hostname()}:4194305:1:00000000`, 0);
  const proof = await server.reset(signal);
  expect(proof).toMatchObject({ how: 'listed', released: 1, foreign: 1 });
  expect([...kit.rooms.keys()]).toEqual(['a room of somebody']);
  expect(events).toContainEqual(expect.objectContaining({ kind: 'foreign-sessions', sessions: 1 }));
});

test('a server that lists a deleted room still is not clean', async () => {
  const kit = await scriptedLiveKit({ keepsRooms: true });
  closers.push(() => kit.close());
  const error = await refusal(serverOf(kit, scriptedKeys).start(signal));
  expect(error).toMatchObject({ code: 'E_NOT_CLEAN', why: expect.stringContaining('loadline:') });
});

test('a wrong secret, an unknown key and no keys at all are each told by name, and no token is shown', async () => {
  const kit = await scriptedLiveKit();
  closers.push(() => kit.close());
  const with_ = (env: Record<string, string>) => refusal(serverOf(kit, env).start(signal));
  const wrong = await with_({ ...scriptedKeys, LIVEKIT_API_SECRET: 'another' });
  expect(wrong).toMatchObject({ code: 'E_SERVER_REFUSED', message: expect.stringContaining('The secret is wrong.') });
  expect(wrong.why).not.toContain('eyJ');
  const unknown = await with_({ ...scriptedKeys, LIVEKIT_API_KEY: 'nobody' });
  expect(unknown.message).toContain('It does not know the key.');
  const none = await with_({});
  expect(none).toMatchObject({
    code: 'E_USAGE',
    message: expect.stringContaining('LIVEKIT_API_KEY and LIVEKIT_API_SECRET'),
  });
});

for (const [what, status, text, message] of [
  ['a room that does not say why', 500, 'connection closed by media', 'The room does not take the participant.'],
  ['a full server', 503, 'node has exceeded its configured limit', 'The server is full.'],
  ['an expired token', 401, 'error: token has invalid claims: token is expired', 'The token has expired.'],
] as const) {
  test(`${what} is a named reason of who joins`, async () => {
    let isRefused = false;
    const http = (path: string) => (isRefused && path.startsWith('/rtc') ? { status, text } : undefined);
    const { server } = await started({ http });
    const opened = await server.openSession(aRoom, signal);
    isRefused = true;
    const error = await refusal(publish(opened, aRoom, '1a'));
    expect(error).toMatchObject({ code: 'E_SERVER_REFUSED', message: expect.stringContaining(message) });
  });
}

test('a full room is told by its list: who joins is only told that it is not taken', async () => {
  let isFull = false;
  const text = 'connection closed by media';
  const http = (path: string) => (isFull && path.startsWith('/rtc') ? { status: 500, text } : undefined);
  const { server } = await started({ http, roomHolds: 1 });
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  isFull = true;
  const error = await refusal(publish(opened, aRoom, '1b'));
  expect(error).toMatchObject({ code: 'E_SERVER_REFUSED', message: expect.stringContaining('The room is full.') });
});

test('somebody else, and a redirect, are told as what they are: no token is sent on', async () => {
  for (const [status, why] of [
    [404, 'HTTP 404'],
    [307, 'it redirects (HTTP 307)'],
  ] as const) {
    const kit = await scriptedLiveKit({ http: () => ({ status, text: '<html>' }) });
    closers.push(() => kit.close());
    const error = await refusal(serverOf(kit, scriptedKeys).start(signal));
    expect(error).toMatchObject({ code: 'E_SERVER_PROTOCOL', why: expect.stringContaining(why) });
    expect(kit.asked).toHaveLength(1);
  }
});

test('a server that is silent, hangs up or refuses a track fails one participant, in time', async () => {
  const silent = await started({ script: ({ case: what }) => (what === 'offer' ? [] : undefined) });
  const waiting = publish(await silent.server.openSession(aRoom, signal), aRoom, '1a');
  expect(await refusal(waiting)).toMatchObject({
    code: 'E_SERVER_TIMEOUT',
    message: expect.stringContaining('"offer"'),
  });
  const gone = await started({ script: ({ case: what }) => (what === 'offer' ? 'hang-up' : undefined) });
  const lost = await refusal(publish(await gone.server.openSession(aRoom, signal), aRoom, '1a'));
  expect(lost.code).toBe('E_SERVER_LOST');
});

test('a receiving connection that is to have less than its room sends is refused before it is made', async () => {
  const { kit, server } = await started();
  const each = onConnections(sfuGroup(3), 'each').sessions(1)[0] as Session;
  const opened = await server.openSession(each, signal);
  const error = await refusal(Promise.resolve(begin(opened, each, '1a:from-1b')));
  expect(error).toMatchObject({
    code: 'E_SERVER_REFUSED',
    why: 'a participant receives all others over one connection',
  });
  expect(kit.asked.filter((one) => one === 'GET /rtc')).toHaveLength(1);
});

test('how the server sees a connection is told when it changes, and not each time that it says so', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  for (const quality of [2, 2, 0]) {
    const updates = [new ConnectionQualityInfo({ participantSid: 'PA_1a', quality })];
    kit.say('1a', { case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates }) });
  }
  const told = () => events.flatMap((one) => (one.kind === 'other' ? [one.detail] : []));
  await soon(told).toEqual(['excellent', 'poor']);
});

test('what is no message of the protocol is told, and ends nothing', async () => {
  const { kit, server, events } = await started();
  const opened = await server.openSession(aRoom, signal);
  await publish(opened, aRoom, '1a');
  kit.sayBytes('1a', Buffer.from('no message'));
  await soon(() => events.map((event) => (event.kind === 'other' ? event.name : event.kind))).toContain('unreadable');
  expect((await subscribe(opened, aRoom, '1a:from-all')).places).toEqual([]);
  expect(server.traffic()).toMatchObject({ roundTrips: 3 });
});
