import { shortText } from '../../model/plain-text.js';
import { boundedText, causeOfFetch } from '../sockets/bounded-body.js';
import { somebodyElse, unreachable } from '../sockets/open-socket.js';
import { tooDeep } from '../sockets/socket-bounds.js';
import { untrustedCertificate } from '../sockets/untrusted-certificate.js';
import type { Channel, ChannelListener, OutgoingFrame } from './channel.js';
import { readFrame } from './frame.js';
import { aJanus } from './janus-options.js';

interface HttpPlace {
  /** With its path: `http://host:8088/janus`. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly apiSecret: string | undefined;
}

/** Of an answer that is not what was asked for, enough to recognise it by. */
const answerCharacters = 80;

/** The API secret goes to Janus alone: one that sends to another address is told as unreachable. */
const stay = { redirect: 'error' } as const;

/** Events that one poll may bring. */
const eventsAtOnce = 10;

/**
 * Frames over HTTP: each request is a POST, and what Janus says of a session by itself is asked for again and again,
 * because it answers such a GET only when there is news, or after 30 s. First it is made sure that something answers
 * there.
 */
export async function openHttpChannel(
  place: HttpPlace,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<Channel> {
  await assertAnswers(place, signal);
  return new HttpChannel(place, listener);
}

class HttpChannel implements Channel {
  readonly #closing = new AbortController();
  readonly #polls = new Map<number, AbortController>();

  constructor(
    private readonly place: HttpPlace,
    private readonly listener: ChannelListener,
  ) {}

  send(frame: OutgoingFrame): string {
    const { session_id: _session, handle_id: _handle, ...rest } = frame;
    const body = JSON.stringify(rest);
    void this.#post(frame, body).catch((error: unknown) => this.#lose(error));
    return body;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const poll of this.#polls.values()) poll.abort();
    this.#polls.clear();
  }

  async #post({ janus, session_id: session, handle_id: handle }: OutgoingFrame, body: string): Promise<void> {
    const path = [session, handle].flatMap((id) => (id === undefined ? [] : [`/${id}`])).join('');
    const response = await fetch(`${this.place.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      ...stay,
      signal: this.#closing.signal,
    });
    const text = await boundedText(response);
    // Before the answer is handed on: what is asked next of the session may be answered by an event.
    if (janus === 'create') this.#poll(readFrame(text)?.data?.id);
    if (janus === 'destroy' && session !== undefined) this.#stopPoll(session);
    this.listener.onText(text);
  }

  #poll(session: number | undefined): void {
    if (session === undefined || this.#closing.signal.aborted) return;
    const poll = new AbortController();
    this.#polls.set(session, poll);
    void this.#listen(session, poll.signal).catch((error: unknown) => {
      if (!poll.signal.aborted) this.#lose(error);
    });
  }

  async #listen(session: number, signal: AbortSignal): Promise<void> {
    const { url, apiSecret } = this.place;
    const secret = apiSecret === undefined ? '' : `&apisecret=${encodeURIComponent(apiSecret)}`;
    for (;;) {
      const response = await fetch(`${url}/${session}?maxev=${eventsAtOnce}${secret}`, { ...stay, signal });
      const body = await boundedText(response);
      const excess = tooDeep(body);
      if (excess !== undefined) throw new Error(`it sent ${excess}`);
      const said: unknown = JSON.parse(body);
      const frames: readonly unknown[] = Array.isArray(said) ? said : [said];
      const texts = frames.map((frame) => JSON.stringify(frame));
      for (const text of texts) this.listener.onText(text);
      // It is ended, or the poll is refused: asked again, it would be so again and at once.
      if (texts.some((text) => readFrame(text)?.janus === 'error')) return this.#stopPoll(session);
    }
  }

  #stopPoll(session: number): void {
    this.#polls.get(session)?.abort();
    this.#polls.delete(session);
  }

  #lose(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    void this.close();
    this.listener.onLost(`ended: ${causeOfFetch(error)}`);
  }
}

/** Rejects with E_SERVER_UNREACHABLE, or E_SERVER_PROTOCOL where somebody else answers. */
async function assertAnswers({ url, timeoutMs }: HttpPlace, signal: AbortSignal): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(`${url}/info`, { ...stay, signal: inTime }).catch((error: unknown) => {
    signal.throwIfAborted();
    const why = inTime.aborted ? `no answer in ${timeoutMs / 1000} s` : causeOfFetch(error);
    throw untrustedCertificate(url, error) ?? unreachable(url, aJanus, why, error);
  });
  const text = await boundedText(response).catch((error: unknown) => {
    signal.throwIfAborted();
    throw somebodyElse(url, aJanus, inTime.aborted ? `no answer in ${timeoutMs / 1000} s` : causeOfFetch(error), error);
  });
  if (readFrame(text)?.janus === 'server_info') return;
  throw somebodyElse(url, aJanus, `it answered HTTP ${response.status}: ${shortText(text, answerCharacters)}`);
}
