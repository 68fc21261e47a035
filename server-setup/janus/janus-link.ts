import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import type { Channel, OpenChannel, OutgoingFrame } from './channel.js';
import { type JanusFrame, readFrame } from './frame.js';
import { JanusRefusal } from './refusals.js';

export interface LinkListener {
  /** The way to Janus is gone, for good: its sessions are ended by Janus. */
  readonly onLost: (detail: string) => void;
  /** What is no frame of Janus, or answers nothing that was asked. */
  readonly onStray: (text: string) => void;
  /** Counts what is asked and what comes; absent: nobody does. */
  readonly traffic?: TrafficCount;
}

/** What is asked of Janus. `what` names it in errors. */
interface Request {
  readonly what: string;
  readonly frame: Omit<OutgoingFrame, 'transaction'>;
  /** True where Janus says no more than that it took the request. Else its `ack` is the promise of an event to come. */
  readonly endsWithAck?: boolean;
  /** About the server as a whole, and no signalling of participants: not counted. */
  readonly isEvidence?: boolean;
}

interface Pending {
  readonly what: string;
  readonly endsWithAck: boolean;
  readonly isEvidence: boolean;
  readonly settle: (frame: JanusFrame | LoadlineError) => void;
}

/**
 * Transactions with a Janus. Each request resolves with the frame that answers it, or rejects with E_SERVER_REFUSED
 * (the code and text of Janus), E_SERVER_TIMEOUT, E_SERVER_LOST or the signal's reason, in bounded time. What a plugin
 * does asynchronously is first acknowledged and answered by an event of the same transaction; the event may even
 * overtake the `ack` (seen with 1.1.2).
 */
export class JanusLink {
  readonly #pending = new Map<string, Pending>();
  readonly #handles = new Map<number, (frame: JanusFrame) => void>();
  readonly #sessions = new Map<number, (frame: JanusFrame) => void>();
  #channel: Channel | undefined;
  #asked = 0;
  #lost: string | undefined;

  private constructor(
    private readonly where: string,
    private readonly timeoutMs: number,
    private readonly listener: LinkListener,
  ) {}

  static async open(
    { where, timeoutMs, open }: { readonly where: string; readonly timeoutMs: number; readonly open: OpenChannel },
    listener: LinkListener,
    signal: AbortSignal,
  ): Promise<JanusLink> {
    const link = new JanusLink(where, timeoutMs, listener);
    const hear = {
      onText: (text: string) => link.#receive(text),
      onLost: (detail: string) => link.#lose(detail),
    };
    link.#channel = await open(hear, signal);
    return link;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  request(
    { what, frame, endsWithAck = false, isEvidence = false }: Request,
    signal?: AbortSignal,
  ): Promise<JanusFrame> {
    if (this.#lost !== undefined) return Promise.reject(this.#gone(what, this.#lost));
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#asked += 1;
    const transaction = `loadline-${this.#asked}`;
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#pending.delete(transaction);
        act();
      };
      const settle = (said: JanusFrame | LoadlineError): void => {
        const error = said instanceof LoadlineError ? said : errorOf(what, said);
        end(() => (error ? reject(error) : resolve(said as JanusFrame)));
      };
      const onAbort = (): void => end(() => reject(signal?.reason));
      const timer = setTimeout(() => settle(this.#late(what)), this.timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(transaction, { what, endsWithAck, isEvidence, settle });
      const sent = this.#channel?.send({ ...frame, transaction } as OutgoingFrame);
      if (sent !== undefined && !isEvidence) this.listener.traffic?.asked(sent);
    });
  }

  /** What Janus says of a handle by itself. */
  listen(handle: number, listener: (frame: JanusFrame) => void): void {
    this.#handles.set(handle, listener);
  }

  /** What Janus says of a session by itself: that it is over. */
  listenToSession(session: number, listener: (frame: JanusFrame) => void): void {
    this.#sessions.set(session, listener);
  }

  forget(handle: number): void {
    this.#handles.delete(handle);
  }

  forgetSession(session: number): void {
    this.#sessions.delete(session);
  }

  /** Idempotent. Open requests reject with E_SERVER_LOST. */
  readonly close = once(() => this.#close());

  async #close(): Promise<void> {
    this.#lost ??= 'it was closed';
    await this.#channel?.close();
    this.#giveUp(this.#lost);
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (!frame) {
      this.listener.onStray(text);
      return;
    }
    const { janus, transaction } = frame;
    const pending = transaction === undefined ? undefined : this.#pending.get(transaction);
    if (!pending?.isEvidence) this.listener.traffic?.received(text);
    if (janus === 'ack' || janus === 'keepalive') {
      if (pending?.endsWithAck) pending.settle(frame);
    } else if (pending) {
      pending.settle(frame);
    } else if (janus === 'error') {
      this.listener.onStray(text);
    } else {
      this.#deliver(frame);
    }
  }

  /** What Janus says by itself. An answer that nobody waits for any more has no listener. */
  #deliver(frame: JanusFrame): void {
    const { sender, session_id: session } = frame;
    if (sender !== undefined) this.#handles.get(sender)?.(frame);
    else if (session !== undefined) this.#sessions.get(session)?.(frame);
  }

  #lose(detail: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = `the connection was ${detail}`;
    this.#giveUp(this.#lost);
    this.listener.onLost(this.#lost);
  }

  #giveUp(why: string): void {
    for (const pending of [...this.#pending.values()]) pending.settle(this.#gone(pending.what, why));
  }

  #gone(what: string, why: string): LoadlineError {
    return new LoadlineError('E_SERVER_LOST', `The Janus went away before it answered "${what}".`, {
      where: this.where,
      why,
    });
  }

  #late(what: string): LoadlineError {
    return new LoadlineError('E_SERVER_TIMEOUT', `Janus did not answer "${what}".`, {
      where: this.where,
      why: `no answer in ${this.timeoutMs / 1000} s`,
    });
  }
}

/** Errors of the core stand in the frame, those of a plugin in its data. */
function errorOf(what: string, { error, plugindata }: JanusFrame): LoadlineError | undefined {
  if (error) return new JanusRefusal(what, error.code, error.reason);
  const { error_code: code, error: text } = plugindata?.data ?? {};
  return typeof code === 'number' ? new JanusRefusal(what, code, String(text)) : undefined;
}
