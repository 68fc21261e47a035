import { LoadlineError, messageOf } from '../../model/errors.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import type { StreamAnswer } from '../ended-streams.js';
import { somebodyElse } from '../sockets/open-socket.js';
import { type Found, type StreamsOptions, StreamsServer } from '../streams-server.js';
import type { StreamsSessionOptions } from '../streams-session.js';
import { type Doorway, type OpenStream, openStream } from './open-stream.js';
import { isNotThere, type StreamDoor, type TalkOrder, type Way } from './stream-door.js';
import { StreamSession } from './stream-session.js';

interface StreamServerOptions extends StreamsOptions {
  readonly kind: string;
  readonly door: StreamDoor;
  /** As it was given; shown. */
  readonly url: string;
  readonly host: string;
  readonly abilities: ServerAbilities;
}

/** Whether the whole server is gone with a connection. */
const stillThereMs = 2000;

/** A server that knows streams by name, and signals each over a WebSocket of its own. */
export class StreamServer extends StreamsServer<StreamServerOptions, Doorway, OpenStream> {
  readonly #doorway: Doorway;
  protected readonly endedByClosing = 'its streams are ended by closing their connections';
  #isLooking = false;

  constructor(options: StreamServerOptions) {
    super(options, options.url);
    const { door, requestTimeoutMs: timeoutMs } = options;
    this.#doorway = { door, timeoutMs, traffic: this.counted, onEvent: this.events.tell };
  }

  protected async find(signal: AbortSignal): Promise<Found<Doorway>> {
    await this.#ask(signal).catch((error: unknown) => {
      throw notOneOf(this.options, error);
    });
    const { kind, url, host, abilities } = this.options;
    const says = { kind, nature: 'product', name: kind, version: '', url } as const;
    return { running: this.#doorway, host, says, abilities };
  }

  #ask(signal: AbortSignal, timeoutMs = this.#doorway.timeoutMs): Promise<void> {
    const order = orderOf('publish', this.streamOf(0, 'proof'), signal);
    return tried({ ...this.#doorway, timeoutMs }, order, (talk) => talk.prove());
  }

  protected sessionOf(doorway: Doorway, options: StreamsSessionOptions<OpenStream>): StreamSession {
    return new StreamSession({
      ...doorway,
      ...options,
      onLost: (leg, how) => {
        this.events.tell({ kind: 'failed', of: 'leg', leg, atMs: Date.now(), detail: `signalling ended: ${how}` });
        void this.#lookWhetherLost();
      },
    });
  }

  /** Connections are one a stream: that all are lost is known only by asking anew. Never rejects. */
  async #lookWhetherLost(): Promise<void> {
    if (this.#isLooking || this.isStopped) return;
    this.#isLooking = true;
    await this.#ask(new AbortController().signal, stillThereMs).then(
      () => {
        this.#isLooking = false;
      },
      (error: unknown) => this.events.tellNow('lost', `the media server does not answer any more: ${messageOf(error)}`),
    );
  }

  protected async prove(signal: AbortSignal): Promise<void> {
    await this.#ask(signal);
    this.#isLooking = false;
  }

  protected async answerOf(doorway: Doorway, stream: string, signal: AbortSignal): Promise<StreamAnswer> {
    try {
      await tried(doorway, orderOf('view', stream, signal), (talk) => talk.begin());
      return 'there';
    } catch (error) {
      signal.throwIfAborted();
      return isNotThere(error) ? 'not-there' : 'unsaid';
    }
  }
}

const orderOf = (way: Way, stream: string, signal: AbortSignal): TalkOrder => ({
  ...{ way, stream, signal },
  kinds: ['audio', 'video'],
  onCandidate: () => undefined,
  onComplaint: () => undefined,
});

/** One step of a talk that carries no media. */
async function tried(
  doorway: Doorway,
  order: TalkOrder,
  step: (talk: OpenStream['talk']) => Promise<unknown>,
): Promise<void> {
  const opened = await openStream(doorway, order, () => undefined);
  try {
    await step(opened.talk);
  } finally {
    await opened.end();
  }
}

/** Who takes the connection and hangs up, or says nothing that is asked for, is another server. */
function notOneOf({ door, url }: Pick<StreamServerOptions, 'door' | 'url'>, error: unknown): unknown {
  const isOther =
    error instanceof LoadlineError && (error.code === 'E_SERVER_LOST' || error.code === 'E_SERVER_TIMEOUT');
  return isOther ? somebodyElse(url, door.expected, error.why ?? error.message, error) : error;
}
