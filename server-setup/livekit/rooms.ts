import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { boundedText, causeOfFetch } from '../sockets/bounded-body.js';
import { type Expected, somebodyElse, unreachable } from '../sockets/open-socket.js';
import { tooDeep } from '../sockets/socket-bounds.js';
import { untrustedCertificate } from '../sockets/untrusted-certificate.js';
import type { Grants, Tokens } from './access-token.js';
import { refusedByHttp } from './refusals.js';

/** Who is expected where one is named. */
export const aLiveKit: Expected = {
  inWords: 'a LiveKit server',
  named: '--server livekit://host:port',
  todo: 'check the port: a LiveKit listens on 7880 unless its configuration says otherwise',
};

/** In JSON of protocol buffers a count of none, and an empty list, may be left out. */
const listSchema = z.object({
  rooms: z
    .array(
      z.object({
        name: z.string(),
        num_participants: z.number().default(0),
        /** 0: as many as come. */
        max_participants: z.number().default(0),
      }),
    )
    .default([]),
});

interface ListedRoom {
  readonly name: string;
  readonly participants: number;
  /** Absent: as many as come. */
  readonly most?: number;
}

interface ServicePlace {
  readonly url: string;
  readonly tokens: Tokens;
  readonly timeoutMs: number;
}

interface CallHow {
  readonly signal: AbortSignal;
  readonly withinMs?: number;
  /** What the call is about may be gone already. */
  readonly mayBeGone?: boolean;
}

const administrator: Grants = { roomCreate: true, roomList: true };
/** A room is there before its first participant, and stays a while after its last. */
const emptySeconds = 120;

/**
 * The room service of a LiveKit: Twirp, which is JSON posted over HTTP. Every call rejects in bounded time with
 * E_SERVER_UNREACHABLE, E_SERVER_TIMEOUT, E_SERVER_REFUSED, E_SERVER_PROTOCOL or the signal's reason. Redirects are not
 * followed: the token would go along.
 */
export class RoomService {
  constructor(private readonly place: ServicePlace) {}

  list(signal: AbortSignal, withinMs = this.place.timeoutMs): Promise<readonly ListedRoom[]> {
    return this.#list({}, { signal, withinMs });
  }

  /** How many a room may have; undefined: as many as come. How many it has, the list says seconds late. */
  async mostIn(room: string, signal: AbortSignal): Promise<number | undefined> {
    const [found] = await this.#list({ names: [room] }, { signal });
    return found?.most;
  }

  async #list(body: object, how: CallHow): Promise<readonly ListedRoom[]> {
    const text = await this.#call('ListRooms', body, how);
    const listed = tooDeep(text) === undefined ? listSchema.safeParse(jsonIn(text)) : undefined;
    if (!listed?.success) throw somebodyElse(this.place.url, aLiveKit, 'it does not list its rooms as expected');
    return listed.data.rooms.map(({ name, num_participants: participants, max_participants: most }) => ({
      name,
      participants,
      ...(most > 0 ? { most } : {}),
    }));
  }

  /** @param agent who is called into it */
  async create(name: string, signal: AbortSignal, agent?: string): Promise<void> {
    const agents = agent === undefined ? [] : [{ agent_name: agent }];
    const room = { name, empty_timeout: emptySeconds, departure_timeout: emptySeconds, agents };
    await this.#call('CreateRoom', room, { signal });
  }

  /** With everybody in it. One that is gone is deleted, too. */
  async delete(room: string, signal: AbortSignal): Promise<void> {
    await this.#call('DeleteRoom', { room }, { signal, mayBeGone: true });
  }

  async #call(
    method: string,
    body: object,
    { signal, withinMs = this.place.timeoutMs, mayBeGone = false }: CallHow,
  ): Promise<string> {
    const { url, tokens } = this.place;
    signal.throwIfAborted();
    const token = await tokens('loadline', administrator);
    const late = AbortSignal.timeout(withinMs);
    try {
      const answer = await fetch(`${url}/twirp/livekit.RoomService/${method}`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, late]),
      });
      const text = await boundedText(answer, {
        bytesMax: listMbMax * 1_000_000,
        tooLong: () => somebodyElse(url, aLiveKit, `its answer has more than ${listMbMax} MB`),
      });
      if (answer.ok || (mayBeGone && isGone(answer.status, text))) return text;
      throw refusalOf(url, method, answer.status, text);
    } catch (error) {
      signal.throwIfAborted();
      throw late.aborted ? silent(url, method, withinMs) : failed(url, error);
    }
  }
}

/** A room is listed in about 900 bytes. */
const listMbMax = 64;

const isGone = (status: number, text: string): boolean => status === 404 && /"not_found"/.test(text);

/** A refusal of Twirp is JSON with a code; anything else was said by somebody else. */
function refusalOf(url: string, method: string, status: number, text: string): LoadlineError {
  const isTheirs = status === 401 || /"code":/.test(text);
  if (isTheirs) return refusedByHttp(method, url, status, text);
  if (status >= 300 && status < 400) {
    return somebodyElse(url, aLiveKit, `it redirects (HTTP ${status}), and a token is not sent on to another address`);
  }
  return somebodyElse(url, aLiveKit, `it answered HTTP ${status} where rooms are listed`);
}

function silent(url: string, method: string, withinMs: number): LoadlineError {
  return new LoadlineError('E_SERVER_TIMEOUT', `The LiveKit did not answer "${method}".`, {
    where: url,
    why: `no answer in ${withinMs / 1000} s`,
  });
}

function failed(url: string, error: unknown): unknown {
  if (error instanceof LoadlineError) return error;
  return untrustedCertificate(url, error) ?? unreachable(url, aLiveKit, causeOfFetch(error), error);
}
