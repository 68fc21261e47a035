import type { ScalabilityMode } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { IceCandidate, Negotiated } from '../../model/signalling.js';
import type { JanusFrame } from './frame.js';
import type { JanusLink } from './janus-link.js';
import { noSuchSession, orGone } from './refusals.js';

/** One connection of one participant, in a session of Janus. */
export interface Handle {
  readonly session: number;
  readonly id: number;
}

interface Jsep {
  readonly type: 'offer' | 'answer';
  readonly sdp: string;
  /** Sections of one stream with spatial layers; a Janus up to 1.1.3 reads it of the room instead. */
  readonly svc?: readonly { readonly mindex: number; readonly svc: ScalabilityMode }[];
}

/** Below the 60 s after which Janus ends a session of which it hears nothing (session_timeout in janus.jcfg). */
const keepAliveMs = 25_000;

export const videoRoomPlugin = 'janus.plugin.videoroom';
export const audioBridgePlugin = 'janus.plugin.audiobridge';

/** What is asked of Janus: sessions, handles, and messages to plugins. Each session is kept alive until it is ended. */
export class JanusCalls {
  readonly #secret: { readonly apisecret?: string };
  readonly #kept = new Map<number, NodeJS.Timeout>();
  /** Made since it was last shown that what was made is gone. */
  readonly #unproven = new Set<number>();

  constructor(
    readonly link: JanusLink,
    apiSecret: string | undefined,
  ) {
    this.#secret = given({ apisecret: apiSecret });
  }

  /** Sessions that were made and not ended. */
  get sessions(): readonly number[] {
    return [...this.#kept.keys()];
  }

  /** Sessions that were made and are not yet seen to be gone, ended or not. */
  get unproven(): readonly number[] {
    return [...this.#unproven];
  }

  seenGone(sessions: readonly number[]): void {
    for (const session of sessions) this.#unproven.delete(session);
  }

  info(signal: AbortSignal): Promise<JanusFrame> {
    return this.link.request({ what: 'info', frame: { janus: 'info' } }, signal);
  }

  /** Not given up on abort: what is being made must be known to be ended. */
  async createSession(onEnded: () => void): Promise<number> {
    const frame = { janus: 'create', ...this.#secret };
    const session = idIn(await this.link.request({ what: 'create', frame }), 'create');
    this.#unproven.add(session);
    this.#kept.set(session, setInterval(() => this.#keepAlive(session), keepAliveMs).unref());
    this.link.listenToSession(session, ({ janus }) => {
      if (janus !== 'timeout') return;
      this.#letGo(session);
      onEnded();
    });
    return session;
  }

  /** Ends a session with all its handles. One that Janus does not know any more is ended, too. */
  async endSession(session: number): Promise<void> {
    if (!this.#kept.has(session)) return;
    this.#letGo(session);
    const frame = { janus: 'destroy', session_id: session, ...this.#secret };
    await orGone(this.link.request({ what: 'destroy', frame }), noSuchSession);
  }

  async attach(session: number, plugin: string): Promise<Handle> {
    const frame = { janus: 'attach', session_id: session, plugin, ...this.#secret };
    const what = `attach ${plugin}`;
    return { session, id: idIn(await this.link.request({ what, frame }), what) };
  }

  /** Ends a handle with its connection: whoever had joined by it has left the room. */
  async detach(handle: Handle): Promise<void> {
    this.forget(handle);
    await this.link.request({ what: 'detach', frame: { janus: 'detach', ...this.#of(handle) } });
  }

  /** Resolves with the plugin's answer, be it given at once or by an event. */
  message(
    handle: Handle,
    body: { readonly request: string; readonly [field: string]: unknown },
    rest: { readonly jsep?: Jsep; readonly signal?: AbortSignal | undefined; readonly isEvidence?: boolean } = {},
  ): Promise<JanusFrame> {
    const { jsep, signal, isEvidence = false } = rest;
    const frame = { janus: 'message', ...this.#of(handle), body, ...given({ jsep }) };
    return this.link.request({ what: body.request, frame, isEvidence }, signal);
  }

  /** What is agreed of an offer by the answer to a message. `whose` is for errors: "a member of an audio room". */
  negotiated(handle: Handle, { jsep, plugindata }: JanusFrame, whose: string, signal: AbortSignal): Negotiated {
    if (jsep?.type === 'answer')
      return { answer: jsep.sdp, addCandidate: (candidate) => this.trickle(handle, candidate, signal) };
    throw new LoadlineError('E_SERVER_PROTOCOL', `Janus did not answer the offer of ${whose}.`, {
      why: `it said ${JSON.stringify(plugindata?.data ?? {}).slice(0, 200)}`,
    });
  }

  async trickle(handle: Handle, candidate: IceCandidate, signal: AbortSignal): Promise<void> {
    const frame = { janus: 'trickle', ...this.#of(handle), candidate };
    await this.link.request({ what: 'trickle', frame, endsWithAck: true }, signal);
  }

  listen(handle: Handle, listener: (frame: JanusFrame) => void): void {
    this.link.listen(handle.id, listener);
  }

  forget(handle: Handle): void {
    this.link.forget(handle.id);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    for (const session of this.sessions) this.#letGo(session);
    await this.link.close();
  }

  #of({ session, id }: Handle) {
    return { session_id: session, handle_id: id, ...this.#secret };
  }

  #letGo(session: number): void {
    clearInterval(this.#kept.get(session));
    this.#kept.delete(session);
    this.link.forgetSession(session);
  }

  /** A session that is gone is told by whoever uses it, a connection that is gone by the link. */
  #keepAlive(session: number): void {
    const frame = { janus: 'keepalive', session_id: session, ...this.#secret };
    this.link.request({ what: 'keepalive', frame, endsWithAck: true }).catch(() => undefined);
  }
}

/** What was made. Throws E_SERVER_PROTOCOL. */
function idIn({ data }: JanusFrame, what: string): number {
  if (data) return data.id;
  throw new LoadlineError('E_SERVER_PROTOCOL', `The answer of Janus to "${what}" names nothing that was made.`);
}
