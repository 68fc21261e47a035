import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { planSchema } from '../../model/plan.js';
import type { Participant, Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { IceCandidate } from '../../model/signalling.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { soon } from '../../tests/soon.js';
import { antServer } from '../../tests/stream-servers/ant-server.js';
import { ovenServer } from '../../tests/stream-servers/oven-server.js';
import type { Message, ServerOptions } from '../../tests/stream-servers/stream-server.js';
import { antMediaKind } from '../antmedia/kind.js';
import type { SessionLegRequest } from '../media-server.js';
import { ovenMediaKind } from '../ovenmedia/kind.js';

const { signal } = new AbortController();
const session = onConnections(broadcast, 'each').sessions(1)[0] as Session;
const [publisher, viewer] = session.participants as [Participant, Participant];
const candidate: IceCandidate = {
  candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host',
  sdpMid: '0',
  sdpMLineIndex: 0,
};

const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const doors = {
  oven: { kind: ovenMediaKind, start: ovenServer, application: 'app' },
  ant: { kind: antMediaKind, start: antServer, application: 'live' },
} as const;

interface Made extends ServerOptions {
  readonly application?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly joinMsMax?: number;
}

async function made(at: keyof typeof doors, { application, env = {}, joinMsMax = 4000, ...options }: Made = {}) {
  const { kind, start, application: usual } = doors[at];
  const far = await start(options);
  const url = `${kind.name}://127.0.0.1:${far.port}/${application ?? usual}`;
  const named = { kind: kind.name, url };
  const plan = planSchema.parse({ scenario: 'broadcast', server: named, thresholds: { joinMsMax } });
  const server = await kind.make({ plan, server: named, selfCommand: [], env });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  closers.push(far.close, () => server.stop());
  return { far, server, events };
}

async function opened(at: keyof typeof doors, options: Made = {}) {
  const setup = await made(at, options);
  await setup.server.start(signal);
  setup.far.heard.splice(0);
  setup.far.urls.splice(0);
  return { ...setup, one: await setup.server.openSession(session, signal) };
}

function requestOf(
  participant: Participant,
  onCandidate: (one: IceCandidate) => void = () => undefined,
): SessionLegRequest {
  const leg = participant.legs[0];
  if (!leg) throw new Error('a participant has a leg');
  return { participant, leg, onCandidate, signal, renegotiate: async () => '', sourcesThere: async () => undefined };
}

const failure = (work: Promise<unknown> | undefined): Promise<LoadlineError> =>
  (work ?? Promise.resolve()).then(
    () => {
      throw new Error('it should have been rejected');
    },
    (error: LoadlineError) => error,
  );

test('an OvenMediaEngine offers to who publishes and to who views, and is told to stop each', async () => {
  const { far, server, one } = await opened('oven', { env: { LOADLINE_OVENMEDIA_QUERY: 'key=hidden' } });
  const found: IceCandidate[] = [];
  const first = await one.begin?.(requestOf(publisher, (of) => found.push(of)));
  expect(first).toMatchObject({ by: 'server', candidates: 'trickled', offer: expect.stringContaining('a=recvonly') });
  expect(found.map((of) => of.candidate)).toEqual(['candidate:0 1 UDP 50 127.0.0.1 10006 typ host']);
  if (first?.by !== 'server') throw new Error('the server offers');
  await first.answer('v=0 answer');
  await first.addCandidate(candidate);
  expect(await one.begin?.(requestOf(viewer))).toMatchObject({ by: 'server' });
  await soon(() => far.heard.length).toBe(4);
  const [, answer, trickled] = far.heard;
  const id = answer?.id;
  expect(answer).toEqual({ id, peer_id: 0, command: 'answer', sdp: { type: 'answer', sdp: 'v=0 answer' } });
  expect(trickled).toEqual({ id, peer_id: 0, command: 'candidate', candidates: [candidate] });
  expect(far.urls.map((url) => url.replace(/loadline-\w+/, 'S'))).toEqual([
    `/app/S-1-${publisher.id}?direction=send&key=hidden`,
    `/app/S-1-${publisher.id}?key=hidden`,
  ]);
  await one.close();
  const stops = far.heard.filter(({ command }) => command === 'stop');
  expect(stops).toHaveLength(2);
  expect(stops[1]?.id).toBe(id);
  // It says nothing to a stop: whether the stream has ended is looked at, and it has.
  expect(await server.reset(signal)).toMatchObject({ how: 'not-provable' });
  expect((await server.reset(signal)).byClosing).toBeUndefined();
});

test('a stream that an OvenMediaEngine still gives after it was stopped is told', async () => {
  const script = ({ command }: Message) => (command === 'stop' ? 'silence' : undefined);
  const stays = new Set<string>();
  const { one, server, far } = await opened('oven', {
    script: (message, client) => {
      if (message.command === 'request_offer' && client.url.search === '' && stays.has(client.url.pathname))
        return [{ command: 'offer', id: 1, peer_id: 0, sdp: { type: 'offer', sdp: 'v=0' }, code: 200 }];
      return script(message);
    },
  });
  await one.begin?.(requestOf(publisher));
  stays.add(far.urls[0]?.replace(/\?.*/, '') ?? '');
  await one.close();
  const { byClosing } = await server.reset(signal);
  expect(byClosing).toEqual({ connections: 0, why: 'it does not say that a stream has ended', streams: 1, still: 1 });
});

test('an Ant Media Server lets who publishes offer, offers to who plays, and says that each has ended', async () => {
  const { far, server, one } = await opened('ant', { env: { LOADLINE_ANTMEDIA_TOKEN: 'hidden' } });
  const found: IceCandidate[] = [];
  const request = requestOf(publisher, (of) => found.push(of));
  expect(await one.begin?.(request)).toEqual({ by: 'probe', candidates: 'trickled' });
  const { answer, addCandidate } = await one.join({ ...request, offer: 'v=0 offer' });
  expect(answer).toContain('v=0');
  await addCandidate(candidate);
  await soon(() => found.length).toBe(1);
  const played = await one.begin?.(requestOf(viewer));
  if (played?.by !== 'server') throw new Error('the server offers');
  await played.answer('v=0 answer');
  await one.close();
  const streamId = far.heard[0]?.streamId;
  expect(streamId).toMatch(new RegExp(`^loadline-\\w+-1-${publisher.id}$`));
  expect(far.heard).toEqual([
    { command: 'publish', streamId, video: true, audio: true, token: 'hidden' },
    { command: 'takeConfiguration', streamId, type: 'offer', sdp: 'v=0 offer' },
    { command: 'takeCandidate', streamId, label: 0, id: '0', candidate: candidate.candidate },
    { command: 'play', streamId, token: 'hidden' },
    { command: 'takeConfiguration', streamId, type: 'answer', sdp: 'v=0 answer' },
    { command: 'stop', streamId },
    { command: 'stop', streamId },
  ]);
  expect((await server.reset(signal)).byClosing).toBeUndefined();
});

test('an Ant Media Server that does not say that a stream has ended is told as ended by closing', async () => {
  const { one, server, events } = await opened('ant', {
    joinMsMax: 500,
    script: ({ command }) => (command === 'stop' ? 'silence' : undefined),
  });
  const request = requestOf(publisher);
  await one.begin?.(request);
  await one.join({ ...request, offer: 'v=0' });
  await one.close();
  expect(events).toContainEqual(expect.objectContaining({ name: 'ended-by-closing' }));
  expect((await server.reset(signal)).byClosing).toMatchObject({ connections: 1, streams: 1, still: 0 });
});

for (const at of ['oven', 'ant'] as const) {
  test(`a viewer at the ${at} door comes again for a stream, and is told in time when none comes`, async () => {
    const { one, events, far } = await opened(at, { joinMsMax: 2000 });
    const viewing = one.begin?.(requestOf(viewer));
    await soon(() => events.filter((event) => event.kind === 'other' && event.name === 'waiting').length).toBe(1);
    const request = requestOf(publisher);
    const first = await one.begin?.(request);
    if (first?.by === 'probe') await one.join({ ...request, offer: 'v=0' });
    expect(await viewing).toMatchObject({ by: 'server' });
    await one.close();
    const another = await opened(at, { joinMsMax: 800 });
    const error = await failure(another.one.begin?.(requestOf(viewer)));
    expect([error.code, error.message]).toEqual([
      'E_SERVER_REFUSED',
      expect.stringMatching(/no such stream|not there/),
    ]);
    expect(far.media.streams.size).toBe(0);
  });

  test(`a connection of the ${at} door that is cut fails its leg, and the server is called lost once it is`, async () => {
    let cut: () => void = () => undefined;
    const { one, events, far, server } = await opened(at, {
      script: (_, client) => {
        cut = client.hangUp;
        return undefined;
      },
    });
    await one.begin?.(requestOf(publisher));
    cut();
    await soon(() => events.filter(({ kind }) => kind === 'failed').length).toBe(1);
    await one.close();
    await server.reset(signal);
    const lost = () => events.filter(({ kind }) => kind === 'lost').length;
    expect(lost()).toBe(0);
    const second = await server.openSession(session, signal);
    await second.begin?.(requestOf(publisher));
    await far.close();
    await soon(lost).toBe(1);
    await second.close();
    expect((await failure(server.reset(signal))).code).toBe('E_SERVER_LOST');
  });

  test(`a wrong application is named at the ${at} door before anything is measured, and so is nobody`, async () => {
    const { server } = await made(at, { application: 'wrong' });
    const error = await failure(server.start(signal));
    expect([error.code, error.message + (error.why ?? '')]).toEqual([
      'E_SERVER_REFUSED',
      expect.stringContaining('no such application'),
    ]);
    const { far, server: gone } = await made(at);
    await far.close();
    expect((await failure(gone.start(signal))).code).toBe('E_SERVER_UNREACHABLE');
  });
}

test('a wrong token is told with the variable that holds it, and its value is not', async () => {
  const { one } = await opened('ant', {
    env: { LOADLINE_ANTMEDIA_TOKEN: 'guessed' },
    script: ({ command, streamId }) =>
      command === 'publish' ? [{ command: 'error', definition: 'unauthorized_access', streamId }] : undefined,
  });
  const error = await failure(one.begin?.(requestOf(publisher)));
  expect(error.message).toContain('The token is wrong or missing.');
  expect(error.todo).toContain('LOADLINE_ANTMEDIA_TOKEN');
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain('guessed');
});

test('what is said against a stream that runs is told of its leg', async () => {
  const { one, events } = await opened('ant', {
    script: ({ command, streamId }) =>
      command === 'takeCandidate' ? [{ command: 'error', definition: 'publishTimeoutError', streamId }] : undefined,
  });
  const request = requestOf(publisher);
  await one.begin?.(request);
  const { addCandidate } = await one.join({ ...request, offer: 'v=0' });
  await addCandidate(candidate);
  await soon(() => events).toContainEqual(
    expect.objectContaining({
      kind: 'failed',
      leg: publisher.legs[0]?.id,
      detail: expect.stringContaining('No media came'),
    }),
  );
});

test('who takes the connection and is silent, or hangs up, is told as another server in the time of a request', async () => {
  const hangsUp = (_: Message, client: { hangUp(): void }) => {
    client.hangUp();
    return 'silence' as const;
  };
  for (const [at, script, why] of [
    ['oven', () => 'silence' as const, 'no answer in 0.45 s'],
    ['ant', hangsUp, 'closed with 1006'],
  ] as const) {
    const { server } = await made(at, { joinMsMax: 500, script });
    const error = await failure(server.start(signal));
    expect([error.code, error.why]).toEqual(['E_SERVER_PROTOCOL', why]);
  }
});
