import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { Leg, Participant, Session } from '../../model/scenario.js';
import type { NegotiationRequest, SpeakYourself } from '../../model/signalling.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { type ScriptedWhip, scriptedWhip, type WhipScript } from '../../tests/scripted-whip.js';
import type { ServerSession } from '../media-server.js';
import { whipSpeaker } from './speaker.js';
import { WhipServer } from './whip-server.js';

const { signal } = new AbortController();
const session = broadcast.sessions(1)[0] as Session;
const [publisher] = session.participants as [Participant];
const leg = publisher.legs[0] as Leg;
const offer = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', ''].join('\r\n');
const request: NegotiationRequest = { participant: publisher, leg, offer, onCandidate: () => undefined, signal };
const mayAskAll = () => undefined;

interface Stage {
  readonly server: WhipServer;
  readonly scripted: ScriptedWhip;
  readonly opened: ServerSession;
  readonly speak: SpeakYourself;
}

/** A publisher's host that is told to speak itself, with a token. */
async function onStage(script: WhipScript | undefined, act: (stage: Stage) => Promise<void>): Promise<void> {
  const scripted = await scriptedWhip(script);
  const server = new WhipServer({
    addresses: { whip: scripted.whip, whep: scripted.whep },
    env: { LOADLINE_WHIP_TOKEN: 'hush' },
    requestTimeoutMs: 5000,
    streamWithinMs: 1000,
    spokenByHosts: true,
  });
  try {
    await server.start(signal);
    const opened = await server.openSession(session, signal);
    const rest = { onCandidate: () => undefined, renegotiate: async () => '', sourcesThere: async () => undefined };
    const first = await opened.begin?.({ participant: publisher, leg, signal, ...rest });
    if (first?.by !== 'probe' || !first.speak) throw new Error('the host was not told to speak');
    await act({ server, scripted, opened, speak: first.speak });
  } finally {
    await server.stop();
    await scripted.close();
  }
}

test('a host posts the offer with the token, and who conducts ends what it has opened', () =>
  onStage(undefined, async ({ server, scripted, opened, speak }) => {
    const spoken = await whipSpeaker(speak.words, request, mayAskAll);
    expect(spoken.answer).toContain('v=0');
    expect(scripted.requests.map(({ method, headers, body }) => [method, headers.authorization, body])).toEqual([
      ['POST', 'Bearer hush', offer],
    ]);
    await speak.spoke(spoken.opened);
    expect(spoken.opened, 'what is told of it holds no secret').not.toContain('hush');
    expect(scripted.open.size).toBe(1);
    await opened.close();
    expect(scripted.open.size).toBe(0);
    expect(scripted.requests.at(-1)).toMatchObject({ method: 'DELETE' });
    expect(server.traffic(), 'what the host said is not counted here').toBeUndefined();
  }));

test('who leaves while the session goes on is ended by who conducts, whoever has opened it', () =>
  onStage(undefined, async ({ scripted, opened, speak }) => {
    const spoken = await whipSpeaker(speak.words, request, mayAskAll);
    await speak.spoke(spoken.opened);
    await opened.leave?.([leg.id]);
    expect([scripted.requests.at(-1)?.method, scripted.open.size]).toEqual(['DELETE', 0]);
    await opened.close();
    expect(scripted.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  }));

test('what is told of when the session is closed already is ended at once, and refused', () =>
  onStage(undefined, async ({ scripted, opened, speak }) => {
    const spoken = await whipSpeaker(speak.words, request, mayAskAll);
    await opened.close();
    await expect(speak.spoke(spoken.opened)).rejects.toMatchObject({ code: 'E_SERVER_REFUSED' });
    expect(scripted.open.size).toBe(0);
  }));

test('a session on another machine than the endpoint is not taken from a host, and nobody is asked there', () =>
  onStage(undefined, async ({ scripted, opened, speak }) => {
    const told = JSON.stringify({ url: 'http://169.254.169.254/latest', iceUrls: [] });
    await expect(speak.spoke(told)).rejects.toMatchObject({ code: 'E_SERVER_PROTOCOL' });
    await opened.close();
    expect(scripted.requests).toEqual([]);
  }));

test('an address that may not be asked is not, also when a redirect leads there', async () => {
  const elsewhere = { status: 307, headers: { location: 'https://192.0.2.1/whip' } };
  await onStage(
    ({ method }) => (method === 'POST' ? elsewhere : undefined),
    async ({ speak }) => {
      const asked: string[] = [];
      const mayAsk = (url: string) => {
        asked.push(new URL(url).hostname);
        if (asked.at(-1) !== '127.0.0.1') throw new Error('it may not ask that');
      };
      const failure = await whipSpeaker(speak.words, request, mayAsk).catch((error: LoadlineError) => error);
      expect([asked, failure]).toEqual([['127.0.0.1', '192.0.2.1'], new Error('it may not ask that')]);
    },
  );
});

test('a host whose probe gives up meanwhile ends what it has opened', () =>
  onStage(undefined, async ({ scripted, speak }) => {
    const gone = AbortSignal.abort(new Error('the probe does not wait any more'));
    await expect(whipSpeaker(speak.words, { ...request, signal: gone }, mayAskAll)).rejects.toThrow('does not wait');
    expect([scripted.requests.map(({ method }) => method), scripted.open.size]).toEqual([['POST', 'DELETE'], 0]);
  }));
