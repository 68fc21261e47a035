import { atMost } from '../host/bounded-wait.js';
import { LoadlineError, saidBy } from '../model/errors.js';
import type { ServerReading } from '../model/evidence.js';
import { given } from '../model/given.js';
import type { ResetProof } from '../model/reset-proof.js';
import type { ServerFacts } from '../model/run.js';
import type { Session } from '../model/scenario.js';
import type { ServerAbilities } from '../model/server-abilities.js';
import { AskedServer } from './asked-server.js';
import { EndedStreams, type StreamAnswer } from './ended-streams.js';
import { runsAt } from './evidence/process-facts.js';
import { ProcessMeter } from './evidence/process-resources.js';
import type { MediaServer, ServerSession } from './media-server.js';
import { streamNames } from './stream-of-leg.js';
import type { OpenedStream, StreamsSessionOptions } from './streams-session.js';

export interface StreamsOptions {
  /** How long any one request may take. */
  readonly requestTimeoutMs: number;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  /** Which process of this host it is, as of `namedProcess`; absent: nobody knows. */
  readonly process?: string;
}

/** What was found at its address. */
export interface Found<Running> {
  readonly running: Running;
  readonly host: string;
  readonly says: Pick<ServerFacts, 'kind' | 'nature' | 'name' | 'version' | 'url'>;
  readonly abilities: ServerAbilities;
}

/** Ending at the end is best effort. */
const farewellMs = 3000;

/** A server that knows streams by name, and neither sessions nor a way to list what it holds. */
export abstract class StreamsServer<Options extends StreamsOptions, Running, Opened extends OpenedStream>
  extends AskedServer<Running>
  implements MediaServer
{
  readonly #ours = new Set<Opened>();
  readonly #ended = new EndedStreams();
  protected readonly streamOf = streamNames();
  /** Present where it was said which process it is. */
  readonly resources?: () => Promise<ServerReading>;
  #sessions = 0;
  protected meter: ProcessMeter | undefined;

  constructor(
    protected readonly options: Options,
    shown: string,
  ) {
    super(shown);
    if (options.process !== undefined)
      this.resources = async () => ({ atMs: Date.now(), ...(await this.meter?.read()) });
  }

  protected abstract find(signal: AbortSignal): Promise<Found<Running>>;
  protected abstract sessionOf(running: Running, options: StreamsSessionOptions<Opened>): ServerSession;
  /** Rejects where it is not there any more. */
  protected abstract prove(signal: AbortSignal): Promise<void>;
  /** What it says of a stream to who asks for it without media. */
  protected abstract answerOf(running: Running, stream: string, signal: AbortSignal): Promise<StreamAnswer>;
  /** What follows from why streams were not ended by request. */
  protected abstract readonly endedByClosing: string;

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const startedAtMs = performance.now();
    const { running, host, says, abilities } = await this.find(signal);
    const runs = await runsAt({ host, process: this.options.process });
    if (runs.pid !== undefined) this.meter = new ProcessMeter(runs.pid);
    this.running = running;
    return {
      ...says,
      startedInMs: performance.now() - startedAtMs,
      ...runs,
      abilities: { ...abilities, tellsResources: runs.pid !== undefined },
    };
  }

  async openSession(_session: Session, signal: AbortSignal): Promise<ServerSession> {
    signal.throwIfAborted();
    const running = this.needRunning('openSession');
    this.#sessions += 1;
    const nth = this.#sessions;
    return this.sessionOf(running, {
      streamOf: (participant) => this.streamOf(nth, participant),
      streamWithinMs: this.options.streamWithinMs,
      onEvent: this.events.tell,
      onOpened: (opened) => this.#ours.add(opened),
      end: (opened) => this.#end(opened),
    });
  }

  async #end(opened: Opened): Promise<void> {
    const ending = await opened.end();
    if (!this.#ours.delete(opened)) return;
    const why = this.#ended.note(ending, opened.stream);
    if (why === undefined) return;
    const detail = `${why}: ${this.endedByClosing}`;
    this.events.tell({ kind: 'other', atMs: Date.now(), name: 'ended-by-closing', detail });
  }

  /** Ends what sessions could not, and looks at what has not said that it ended. */
  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const running = this.needRunning('reset');
    signal.throwIfAborted();
    const left = [...this.#ours];
    try {
      await this.#endAll(left);
      await this.prove(signal);
    } catch (error) {
      throw this.#ours.size > 0 ? notClean(this.#ours.size, error) : wentAway(error);
    }
    const answerOf = (stream: string) => this.answerOf(running, stream, signal);
    const byClosing = await this.#ended.look(answerOf, this.streamOf(0, 'never'), signal);
    const released = left.length > 0 ? left.length : undefined;
    return { how: 'not-provable', tookMs: performance.now() - startedAtMs, ...given({ released, byClosing }) };
  }

  /** Rejects, once all have been tried, as the first that could not be ended. */
  async #endAll(left: Iterable<Opened>): Promise<void> {
    const results = await Promise.allSettled([...left].map((opened) => this.#end(opened)));
    for (const one of results) if (one.status === 'rejected') throw one.reason;
  }

  protected async leave(): Promise<void> {
    await atMost(
      farewellMs,
      this.#endAll(this.#ours).catch(() => undefined),
    );
  }
}

function notClean(left: number, reason: unknown): unknown {
  const gone = wentAway(reason);
  if (gone !== reason) return gone;
  return new LoadlineError('E_NOT_CLEAN', `The media server still holds ${left} of our sessions.`, {
    where: reason instanceof LoadlineError ? reason.where : undefined,
    why: saidBy(reason),
    todo: 'end them on the server, or start it anew',
  });
}

/** Nobody can say what a server holds that is not there. */
function wentAway(error: unknown): unknown {
  if (!(error instanceof LoadlineError) || error.code !== 'E_SERVER_UNREACHABLE') return error;
  const { where, why } = error;
  const what = 'The media server went away: it cannot be reached any more.';
  return new LoadlineError('E_SERVER_LOST', what, { where, why, cause: error });
}
