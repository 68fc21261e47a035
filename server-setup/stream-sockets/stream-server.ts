import { atMost } from '../../host/bounded-wait.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { EndedStreams, type StreamAnswer } from '../ended-streams.js';
import { isThisHost } from '../evidence/host-address.js';
import { namedProcess } from '../evidence/named-process.js';
import { processFacts } from '../evidence/process-facts.js';
import { ProcessMeter } from '../evidence/process-resources.js';
import type { MediaServer, ServerSession } from '../media-server.js';
import { ServerEvents } from '../server-events.js';
import { notStarted } from '../session-owner.js';
import { somebodyElse } from '../sockets/open-socket.js';
import { TrafficCount } from '../sockets/traffic-count.js';
import { streamNames } from '../stream-of-leg.js';
import { type Doorway, type OpenStream, openStream } from './open-stream.js';
import { isNotThere, type StreamDoor, type TalkOrder, type Way } from './stream-door.js';
import { StreamSession } from './stream-session.js';

interface StreamServerOptions {
  readonly kind: string;
  readonly door: StreamDoor;
  /** As it was given; shown. */
  readonly url: string;
  readonly host: string;
  readonly abilities: ServerAbilities;
  readonly requestTimeoutMs: number;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  /** Which process of this host it is, as of `namedProcess`; absent: nobody knows. */
  readonly process?: string;
}

/** Ending at the end is best effort. */
const farewellMs = 3000;
/** Whether the whole server is gone with a connection. */
const stillThereMs = 2000;

/** A server that knows streams by name, and signals each over a WebSocket of its own. */
export class StreamServer implements MediaServer {
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly #traffic = new TrafficCount();
  readonly traffic = this.#traffic.now;
  readonly #ours = new Set<OpenStream>();
  readonly #ended = new EndedStreams();
  readonly #streamOf = streamNames();
  readonly #doorway: Doorway;
  /** Present where it was said which process it is. */
  readonly resources?: () => Promise<ServerReading>;
  #sessions = 0;
  #meter: ProcessMeter | undefined;
  #started = false;
  #isLooking = false;
  #stopped: Promise<void> | undefined;

  constructor(private readonly options: StreamServerOptions) {
    const { door, requestTimeoutMs: timeoutMs } = options;
    this.#doorway = { door, timeoutMs, traffic: this.#traffic, onEvent: this.#events.tell };
    if (options.process !== undefined)
      this.resources = async () => ({ atMs: Date.now(), ...(await this.#meter?.read()) });
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const startedAtMs = performance.now();
    await this.#prove(signal).catch((error: unknown) => {
      throw notOneOf(this.options, error);
    });
    const { kind, url, host, process, abilities } = this.options;
    const pid = process === undefined ? undefined : await namedProcess(process);
    if (pid !== undefined) this.#meter = new ProcessMeter(pid);
    this.#started = true;
    return {
      kind,
      nature: 'product',
      name: kind,
      version: '',
      url,
      sameHost: await isThisHost(host),
      startedInMs: performance.now() - startedAtMs,
      ...(await processFacts(pid)),
      abilities: { ...abilities, tellsResources: pid !== undefined },
    };
  }

  #prove(signal: AbortSignal, timeoutMs = this.#doorway.timeoutMs): Promise<void> {
    const order = orderOf('publish', this.#streamOf(0, 'proof'), signal);
    return tried({ ...this.#doorway, timeoutMs }, order, (talk) => talk.prove());
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    signal.throwIfAborted();
    this.#assertStarted('openSession');
    this.#sessions += 1;
    const nth = this.#sessions;
    return new StreamSession({
      ...this.#doorway,
      session,
      streamOf: (participant) => this.#streamOf(nth, participant),
      streamWithinMs: this.options.streamWithinMs,
      onOpened: (opened) => this.#ours.add(opened),
      end: (opened) => this.#end(opened),
      onLost: (leg, how) => {
        this.#events.tell({ kind: 'failed', of: 'leg', leg, atMs: Date.now(), detail: `signalling ended: ${how}` });
        void this.#lookWhetherLost();
      },
    });
  }

  async #end(opened: OpenStream): Promise<void> {
    const ending = await opened.end();
    if (!this.#ours.delete(opened)) return;
    const why = this.#ended.note(ending, opened.stream);
    if (why !== undefined) {
      const detail = `${why}: its streams are ended by closing their connections`;
      this.#events.tell({ kind: 'other', atMs: Date.now(), name: 'ended-by-closing', detail });
    }
  }

  /** Connections are one a stream: that all are lost is known only by asking anew. Never rejects. */
  async #lookWhetherLost(): Promise<void> {
    if (this.#isLooking || this.#stopped) return;
    this.#isLooking = true;
    await this.#prove(new AbortController().signal, stillThereMs).then(
      () => {
        this.#isLooking = false;
      },
      (error: unknown) =>
        this.#events.tellNow('lost', `the media server does not answer any more: ${messageOf(error)}`),
    );
  }

  /** Ends what sessions could not, and looks at what has not said that it ended. */
  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    this.#assertStarted('reset');
    signal.throwIfAborted();
    const left = [...this.#ours];
    await Promise.all(left.map((opened) => this.#end(opened)));
    await this.#prove(signal).catch((error: unknown) => {
      throw wentAway(error);
    });
    this.#isLooking = false;
    const answerOf = (stream: string) => this.#answerOf(stream, signal);
    const byClosing = await this.#ended.look(answerOf, this.#streamOf(0, 'never'), signal);
    const released = left.length > 0 ? left.length : undefined;
    return { how: 'not-provable', tookMs: performance.now() - startedAtMs, ...given({ released, byClosing }) };
  }

  async #answerOf(stream: string, signal: AbortSignal): Promise<StreamAnswer> {
    try {
      await tried(this.#doorway, orderOf('view', stream, signal), (talk) => talk.begin());
      return 'there';
    } catch (error) {
      signal.throwIfAborted();
      return isNotThere(error) ? 'not-there' : 'unsaid';
    }
  }

  #assertStarted(what: string): void {
    if (!this.#started || this.#stopped !== undefined) throw notStarted(what, this.options.url);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await atMost(farewellMs, Promise.allSettled([...this.#ours].map((opened) => this.#end(opened))));
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

function wentAway(error: unknown): unknown {
  if (!(error instanceof LoadlineError) || error.code !== 'E_SERVER_UNREACHABLE') return error;
  const { where, why } = error;
  const what = 'The media server went away: it cannot be reached any more.';
  return new LoadlineError('E_SERVER_LOST', what, { where, why, cause: error });
}
