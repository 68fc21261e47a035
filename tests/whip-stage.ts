import type { LoadlineError } from '../model/errors.js';
import type { Leg, Participant, Session } from '../model/scenario.js';
import type { ServerEvent } from '../model/server-event.js';
import type { NegotiationRequest } from '../model/signalling.js';
import { broadcast } from '../scenarios/broadcast.js';
import type { MediaServer, ServerSession, SessionLegRequest } from '../server-setup/media-server.js';
import { type WhipOptions, WhipServer } from '../server-setup/whip/whip-server.js';
import { type ScriptedWhip, scriptedWhip, type WhipScript } from './scripted-whip.js';

export const { signal } = new AbortController();
export const session = broadcast.sessions(2)[0] as Session;
export const [publisher, viewer, viewer2] = session.participants as [Participant, Participant, Participant];
export const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=mid:0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789abcdef01234567',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'a=mid:1',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789abcdef01234567',
  '',
].join('\r\n');

const closers: (() => Promise<void>)[] = [];
/** To be called after each test. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

interface Setup {
  readonly scripted: ScriptedWhip;
  readonly server: MediaServer;
  readonly opened: ServerSession;
  readonly events: ServerEvent[];
}

export async function made(script?: WhipScript, options: Partial<WhipOptions> = {}) {
  const scripted = await scriptedWhip(script);
  const addresses = { whip: scripted.whip, whep: scripted.whep };
  const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 5000, streamWithinMs: 5000, ...options });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  closers.push(scripted.close, () => server.stop());
  return { scripted, server, events };
}

export async function started(script?: WhipScript, options: Partial<WhipOptions> = {}): Promise<Setup> {
  const setup = await made(script, options);
  await setup.server.start(signal);
  return { ...setup, opened: await setup.server.openSession(session, signal) };
}

export function requestOf(participant: Participant, more: Partial<NegotiationRequest> = {}): NegotiationRequest {
  const leg = participant.legs[0] as Leg;
  return { participant, leg, offer, onCandidate: () => undefined, signal, ...more };
}

export function beginOf(participant: Participant, sourcesThere = async () => undefined as unknown): SessionLegRequest {
  const rest = { renegotiate: async () => '', sourcesThere: async () => void (await sourcesThere()) };
  const { leg } = requestOf(participant);
  return { participant, leg, onCandidate: () => undefined, signal, ...rest };
}

export const failure = (work: Promise<unknown>): Promise<LoadlineError> =>
  work.then(
    () => {
      throw new Error('it should have been rejected');
    },
    (error: LoadlineError) => error,
  );
export const only =
  (method: string, said: ReturnType<WhipScript>): WhipScript =>
  (request) =>
    request.method === method ? said : undefined;
