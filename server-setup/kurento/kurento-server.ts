import { hostname } from 'node:os';
import { kill, pid as ownPid } from 'node:process';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { isThisHost } from '../host-address.js';
import type { MediaServer, ResetProof, ServerEvent, ServerSession } from '../media-server.js';
import { ProcessMeter } from '../process-resources.js';
import { type Cleaned, clean } from './cleanliness.js';
import { KurentoCalls, serverManagerId } from './kurento-calls.js';
import { KurentoSession } from './kurento-session.js';
import { tagOf } from './orphans.js';
import { findServerPid, readResources } from './resources.js';
import { parseServerUrl } from './server-url.js';

export interface KurentoOptions {
  /** `kurento://host:8888`, `ws://…` or `wss://…`. */
  readonly url: string;
  /** How long any one request may take. Default 10 s. */
  readonly requestTimeoutMs?: number;
  /** How long connecting and finding out what is there may take. Default 4 s. */
  readonly connectTimeoutMs?: number;
  /** Cap of the video rate in both directions, kbit/s; left out: the server's own default (Kurento: 500). */
  readonly maxVideoKbps?: number;
  /** The server's process, when it is on this host; left out: found by its port. */
  readonly pid?: number;
  /** How long a reset may take. Default 10 s. */
  readonly cleanWithinMs?: number;
}

const defaults = { requestTimeoutMs: 10_000, connectTimeoutMs: 4000, cleanWithinMs: 10_000 };
/** A release at the end is best effort: the server is about to lose the session anyway. */
const farewellMs = 3000;

const metadataSchema = z.object({ server: z.literal('loadline-embedded'), version: z.string().optional() });

/** What is known between `start` and `stop`. */
interface Running {
  readonly calls: KurentoCalls;
  readonly facts: ServerFacts;
  readonly meter: ProcessMeter | undefined;
}

/** A Kurento media server, or anything that speaks as one. Throws E_SERVER_URL. */
export function kurentoServer(options: KurentoOptions): MediaServer {
  return new KurentoServer(options);
}

class KurentoServer implements MediaServer {
  readonly #options: KurentoOptions & typeof defaults;
  readonly #address: ReturnType<typeof parseServerUrl>;
  readonly #self = { host: hostname(), pid: ownPid };
  readonly #listeners: ((event: ServerEvent) => void)[] = [];
  readonly #ours = new Set<string>();
  #running: Running | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: KurentoOptions) {
    this.#options = { ...defaults, ...options };
    this.#address = parseServerUrl(options.url);
  }

  onEvent(listener: (event: ServerEvent) => void): void {
    this.#listeners.push(listener);
  }

  #tell(name: string, detail: string, leg?: string): void {
    const event = { atMs: Date.now(), name, detail, ...(leg === undefined ? {} : { leg }) };
    for (const listener of this.#listeners) listener(event);
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const { requestTimeoutMs, connectTimeoutMs } = this.#options;
    const { calls, version } = await KurentoCalls.open(
      {
        url: this.#address.webSocketUrl,
        requestTimeoutMs,
        connectTimeoutMs,
        onLost: (detail) => this.#tell('lost', `the connection to the media server was lost: ${detail}`),
        onReconnected: (same) => this.#reconnected(same),
        onUnreadable: (text) => this.#tell('unreadable', `a frame that is no JSON-RPC answer: ${text.slice(0, 80)}`),
      },
      signal,
    );
    try {
      const facts = await this.#findFacts(calls, version);
      const meter = facts.pid === undefined ? undefined : new ProcessMeter(facts.pid);
      this.#running = { calls, facts, meter };
      this.#tellOrphans(await this.#clean(this.#running, signal));
      return facts;
    } catch (error) {
      await calls.close();
      throw error;
    }
  }

  async #findFacts(calls: KurentoCalls, kurentoVersion: string): Promise<ServerFacts> {
    const metadata = await calls.invoke(serverManagerId, 'getMetadata', {}, z.string());
    const embedded = metadataSchema.safeParse(parseJson(metadata));
    const kind = embedded.success ? 'embedded' : 'kurento';
    const version = embedded.success ? (embedded.data.version ?? '') : kurentoVersion;
    const sameHost = await isThisHost(this.#address.host);
    const pid = sameHost ? await findServerPid(this.#address.port, this.#options.pid) : undefined;
    const name = `${kind} ${version}`.trim();
    return { kind, name, version, url: this.#options.url, sameHost, ...(pid === undefined ? {} : { pid }) };
  }

  #reconnected(sameSession: boolean): void {
    if (sameSession) {
      this.#tell('reconnected', 'the same session goes on');
    } else {
      this.#ours.clear();
      this.#tell('session-lost', 'the media server has started anew and knows no session of before');
    }
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { calls } = this.#needRunning('openSession');
    const { maxVideoKbps } = this.#options;
    return KurentoSession.open(
      {
        session,
        calls,
        tag: tagOf(this.#self),
        ...(maxVideoKbps === undefined ? {} : { maxVideoKbps }),
        onEvent: (name, detail, leg) => this.#tell(name, detail, leg),
        onCreated: (pipeline) => this.#ours.add(pipeline),
        onClosed: (pipeline) => this.#ours.delete(pipeline),
      },
      signal,
    );
  }

  async reset(signal: AbortSignal): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const running = this.#needRunning('reset');
    const { orphans, foreign } = await this.#clean(running, signal);
    this.#tellOrphans({ orphans: [], foreign });
    const rssMb = (await running.meter?.read())?.rssMb;
    return {
      tookMs: performance.now() - startedAtMs,
      pipelines: foreign.length,
      orphansReleased: orphans.length,
      ...(rssMb === undefined ? {} : { rssMb }),
    };
  }

  async #clean({ calls, facts }: Running, signal: AbortSignal): Promise<Cleaned> {
    const cleaned = await clean(
      {
        calls,
        self: this.#self,
        ownServer: facts.kind === 'embedded',
        ours: this.#ours,
        isRunning,
        withinMs: this.#options.cleanWithinMs,
      },
      signal,
    );
    this.#ours.clear();
    return cleaned;
  }

  #tellOrphans({ orphans, foreign }: Cleaned): void {
    if (orphans.length > 0) this.#tell('orphans-released', `${orphans.length} pipelines of an earlier run`);
    if (foreign.length === 0) return;
    this.#tell('foreign-pipelines', `${foreign.length} pipelines of others are on this server and were left alone`);
  }

  readonly resources = (): Promise<ServerReading> => readResources(this.#needRunning('resources'));

  #needRunning(what: string): Running {
    if (this.#running !== undefined && this.#stopped === undefined) return this.#running;
    throw new LoadlineError('E_SERVER_LOST', `There is no media server to ask for "${what}": it is not started.`, {
      where: this.#options.url,
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const calls = this.#running?.calls;
    if (calls === undefined) return;
    const releases = Promise.allSettled([...this.#ours].map((pipeline) => calls.release(pipeline)));
    await atMost(releases, farewellMs);
    await calls.close();
  }
}

/** Sends no signal: 0 only asks whether the process is there (kill(2)); EPERM means that it is, and another user's. */
function isRunning(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, bound]);
  clearTimeout(timer);
}
