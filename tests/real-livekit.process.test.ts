import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../model/errors.js';
import type { Session } from '../model/scenario.js';
import type { ServerEvent } from '../model/server-event.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { offerOf } from '../probes/signalling/offer.js';
import { NativeLink } from '../rtp/native-link.js';
import { sfuAudioRoom } from '../scenarios/audio-room.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { accessToken, type Tokens, tokensBy } from '../server-setup/livekit/access-token.js';
import type { Connections } from '../server-setup/livekit/livekit-flags.js';
import { LiveKitServer } from '../server-setup/livekit/livekit-server.js';
import type { ServerSession } from '../server-setup/media-server.js';
import { ownRelay } from '../server-setup/turn/own-relay.js';
import { freePort } from './free-port.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasLiveKit, noLiveKit, type RealLiveKit, realLiveKit } from './real-livekit.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const timeout = 15_000;
const session = onConnections(sfuGroup(3), 'one').sessions(1)[0] as Session;
const picture = { width: 640, height: 360, videoKbps: 500, codec: 'vp8' };

interface Start {
  readonly secret?: string;
  readonly change?: (tokens: Tokens) => Tokens;
  readonly connections?: Connections;
}

test.describe('a real LiveKit', () => {
  let livekit: RealLiveKit;
  let server: LiveKitServer;
  const events: ServerEvent[] = [];
  test.beforeEach(() => test.skip(!hasLiveKit(), noLiveKit));
  test.afterEach(async () => {
    await server?.stop();
    await livekit?.close();
  });

  async function start(
    setting: Parameters<typeof realLiveKit>[0] = {},
    { secret, change = (tokens) => tokens, connections = 'two' }: Start = {},
  ) {
    events.length = 0;
    livekit = await realLiveKit(setting);
    const env = { ...livekit.env, ...(secret === undefined ? {} : { LIVEKIT_API_SECRET: secret }) };
    const rest = { picture, connections };
    server = new LiveKitServer({ url: livekit.url, tokens: () => change(tokensBy(env, livekit.url)), ...rest });
    server.onEvent((event) => events.push(event));
    return server.start(signal);
  }

  function publish(opened: ServerSession, nth: number, of = session) {
    const participant = of.participants[nth];
    const [leg] = participant?.legs ?? [];
    if (!participant || !leg) throw new Error('no such member');
    const begun = { participant, leg, onCandidate: () => undefined, signal };
    const never = () => Promise.reject(new Error('nobody is offered to'));
    const first = opened.begin?.({ ...begun, renegotiate: never, sourcesThere: async () => undefined });
    return Promise.resolve(first).then(() => opened.join({ ...begun, offer: offerOf(leg) }));
  }

  const refused = (work: Promise<unknown>) =>
    work.then(
      () => Promise.reject(new Error('should have been refused')),
      (error: LoadlineError) => error,
    );

  test('tells its version, answers who signals alone, and lists no room of ours after a reset', async () => {
    const facts = await start();
    expect(facts.name).toMatch(/^livekit \d+\.\d+/);
    const opened = await server.openSession(session, signal);
    const { answer } = await publish(opened, 0);
    expect(answer).toMatch(/^m=audio [1-9]/m);
    expect(answer).toMatch(/^m=video [1-9]/m);
    expect(answer).not.toMatch(/ red\//i);
    await server.openSession(session, signal);
    expect(await server.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
  });

  for (const [connections, how] of [
    ['two', 'one'],
    ['one', 'same'],
  ] as const) {
    test(`has native members receive each other by ${connections} as people come and leave`, async () => {
      await start({}, { connections });
      await NativeLink.prepare();
      const room = onConnections(sfuGroup(3), how).sessions(1)[0] as Session;
      const opened = await server.openSession(room, signal);
      const sending = { clips: [clipOfBytes([100, 190])], videoKbps: 200 };
      const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
      const members = new NativeMembers(opened, surroundings, signal);
      const flowing = () =>
        (members.all.get('1a')?.probe.sample(0)?.streams ?? []).flatMap((one) => {
          if (one.direction !== 'receive') return [];
          const { stream, kind, away, metrics } = one;
          const count = (kind === 'video' ? metrics.framesDecoded : metrics.packetsReceived) ?? 0;
          return `${kind} ${stream} ${away ? 'away' : count > 0 ? 'flows' : 'stands'}`;
        });
      const of = (id: string, state: string) => [`audio ${id} ${state}`, `video ${id} ${state}`];
      const [first, second, third] = room.participants;
      try {
        for (const one of [first, second]) if (one) members.join(one);
        await soon(flowing, { timeout }).toEqual([...of('1b', 'flows'), ...of('1c', 'stands')]);
        if (third) members.join(third);
        await soon(flowing, { timeout }).toEqual([...of('1b', 'flows'), ...of('1c', 'flows')]);
        members.leave('1b');
        await opened.leave?.(second?.legs.map(({ id }) => id) ?? []);
        await soon(flowing, { timeout }).toEqual([...of('1b', 'away'), ...of('1c', 'flows')]);
        expect([...members.all.values()].flatMap(({ told }) => told.filter(({ call }) => call === 'failed'))).toEqual(
          [],
        );
      } finally {
        members.close();
        await opened.close();
      }
    });
  }

  test('relays native members through the TURN server that it names to each, and through nothing else', async () => {
    const turnPort = await freePort();
    await start({ turnPort });
    await NativeLink.prepare();
    const room = onConnections(sfuGroup(2), 'one').sessions(1)[0] as Session;
    const opened = await server.openSession(room, signal);
    const sending = { clips: [clipOfBytes([100, 190])], videoKbps: 200 };
    const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
    const lost: string[] = [];
    const relay = await ownRelay('udp').open({ lifetimeMs: timeout, onLost: (why) => lost.push(why) }, signal);
    const members = new NativeMembers(opened, surroundings, signal, relay);
    try {
      const told = room.participants.map((one) => members.join(one).told);
      await soon(() => told.map((calls) => calls.some(({ call }) => call === 'up')), { timeout }).toEqual([true, true]);
      const routes = told.map((calls) => calls.flatMap((one) => (one.call === 'routed' ? [one.routes] : [])).at(-1));
      const relayed = { candidateType: 'relay', iceServer: `turn:127.0.0.1:${turnPort}?transport=udp` };
      for (const ofOne of routes)
        expect(ofOne).toEqual([expect.objectContaining(relayed), expect.objectContaining(relayed)]);
      expect(lost).toEqual([]);
    } finally {
      members.close();
      await relay.close();
      await opened.close();
    }
  });

  test('lets in by tokens that a command makes, and the room service, too', async () => {
    const maker = `
      const { createHmac } = require('node:crypto');
      const { identity: sub, grants: video } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
      const part = (one) => Buffer.from(JSON.stringify(one)).toString('base64url');
      const body = part({ alg: 'HS256', typ: 'JWT' }) + '.' + part({ iss: process.env.KEY, sub, video, exp: Date.now() / 1000 + 60 | 0 });
      console.log(body + '.' + createHmac('sha256', process.env.SECRET).update(body).digest('base64url'));`;
    const byCommand = () => {
      const { LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret } = livekit.env;
      return tokensBy({}, livekit.url, `KEY=${key} SECRET=${secret} node -e "${maker}"`);
    };
    await start({}, { change: byCommand });
    const opened = await server.openSession(session, signal);
    expect((await publish(opened, 0)).answer).toMatch(/^m=video [1-9]/m);
  });

  test('answers a room of sound with sound alone', async () => {
    await start();
    const room = onConnections(sfuAudioRoom(3), 'one').sessions(1)[0] as Session;
    const opened = await server.openSession(room, signal);
    const { answer } = await publish(opened, 0, room);
    expect(answer.match(/^m=\w+ [1-9]/gm)).toEqual(['m=audio 9']);
  });

  test('refuses a wrong secret and whoever is one too many in a room, each by name', async () => {
    const wrong = await refused(start({}, { secret: 'another' }));
    expect(wrong.message).toContain('The secret is wrong.');
    await livekit.close();
    await start({ room: '{ max_participants: 1 }' });
    const opened = await server.openSession(session, signal);
    await publish(opened, 0);
    const full = await refused(publish(opened, 1));
    expect(full).toMatchObject({ code: 'E_SERVER_REFUSED', message: expect.stringContaining('The room is full.') });
  });

  test('refuses a token that has expired, by name', async () => {
    const expired: Tokens = async (identity, grants) => {
      const { LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret } = livekit.env;
      return accessToken({ key, secret }, identity, grants, Date.now() - 3_600_000);
    };
    await start({}, { change: (tokens) => (id, grants) => (id === '1a' ? expired : tokens)(id, grants) });
    const opened = await server.openSession(session, signal);
    const late = await refused(publish(opened, 0));
    expect(late).toMatchObject({
      code: 'E_SERVER_REFUSED',
      message: expect.stringContaining('The token has expired.'),
    });
    await publish(opened, 1);
  });

  test('that is asked to end waits for those who are there; asked again, it sends them away by name', async () => {
    await start();
    const opened = await server.openSession(session, signal);
    await publish(opened, 0);
    livekit.end();
    await publish(opened, 1);
    livekit.end();
    await soon(() => events.map(({ kind }) => kind)).toContain('lost');
    const detail = 'sent away: SERVER_SHUTDOWN: the server is shutting down';
    for (const leg of ['1a', '1b']) expect(events).toContainEqual(expect.objectContaining({ leg, detail }));
  });

  test('that is killed is told as lost, with the participants that went with it', async () => {
    await start();
    const opened = await server.openSession(session, signal);
    await publish(opened, 0);
    await livekit.kill();
    await soon(() => events.map(({ kind }) => kind)).toContain('lost');
    expect(events).toContainEqual(expect.objectContaining({ kind: 'failed', of: 'leg', leg: '1a' }));
  });
});
