import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { atMost } from '../../host/bounded-wait.js';
import { isRunning } from '../../host/processes.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { readAtRest } from '../evidence/idleness.js';
import { namedProcess } from '../evidence/named-process.js';
import { ProcessMeter } from '../evidence/process-resources.js';
import type { MediaServer, ResetHow, ServerSession } from '../media-server.js';
import { ServerRecordings } from '../recordings/server-recordings.js';
import { restart } from '../restart.js';
import { type Cleaned, ServerEvents } from '../server-events.js';
import { notStarted, tagOf } from '../session-owner.js';
import { TrafficCount } from '../sockets/traffic-count.js';
import { clean } from './cleanliness.js';
import { KurentoCalls } from './kurento-calls.js';
import { type KurentoOptions, kurentoDefaults } from './kurento-options.js';
import { KurentoSession } from './kurento-session.js';
import { readResources, readServerCores } from './resources.js';
import { findFacts } from './server-facts.js';
import { parseServerUrl } from './server-url.js';

/** A release at the end is best effort: the server is about to lose the session anyway. */
const farewellMs = 3000;

/** What is known between `start` and `stop`. */
interface Running {
  readonly calls: KurentoCalls;
  readonly facts: ServerFacts;
  readonly recordIn: string | undefined;
  readonly meter: ProcessMeter | undefined;
}

/** A Kurento media server, or anything that speaks as one. Throws E_SERVER_URL. */
export class KurentoServer implements MediaServer {
  readonly #options: KurentoOptions & typeof kurentoDefaults;
  readonly #address: ReturnType<typeof parseServerUrl>;
  readonly #self = { host: hostname(), pid: ownPid };
  readonly #events = new ServerEvents();
  readonly onEvent = this.#events.listen;
  readonly #ours = new Set<string>();
  readonly #traffic = new TrafficCount();
  readonly traffic = this.#traffic.now;
  readonly recordings?: ServerRecordings;
  #running: Running | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: KurentoOptions) {
    this.#options = { ...kurentoDefaults, ...options };
    this.#address = parseServerUrl(options.url);
    if (options.record === true) this.recordings = new ServerRecordings();
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const running = await this.#connect(signal);
    try {
      this.#events.tellCleaned(await this.#clean(running, signal));
      await this.#openShelf(running);
    } catch (error) {
      this.#running = undefined;
      await running.calls.close();
      throw error;
    }
    return running.facts;
  }

  async #openShelf({ facts: { kind, sameHost, pid }, recordIn }: Running): Promise<void> {
    const place = kind === 'embedded' ? 'here' : sameHost ? 'perhaps-here' : 'elsewhere';
    await this.recordings?.open({ place, serverFolder: recordIn, serverPid: pid });
  }

  async #connect(signal: AbortSignal): Promise<Running> {
    const { requestTimeoutMs, connectTimeoutMs, token } = this.#options;
    const { calls, info } = await KurentoCalls.open(
      {
        address: given({ url: this.#address.webSocketUrl, token }),
        requestTimeoutMs,
        connectTimeoutMs,
        traffic: this.#traffic,
        onLost: (how) => this.#events.tellNow('lost', `the connection to the media server was lost: ${how}`),
        onReconnected: (same) => this.#reconnected(same),
        onExcess: (detail) => this.#events.tell({ kind: 'excess', atMs: Date.now(), detail }),
        onUnreadable: (shown) => {
          const detail = `a frame that is no JSON-RPC answer: ${shown}`;
          this.#events.tell({ kind: 'other', atMs: Date.now(), name: 'unreadable', detail });
        },
      },
      signal,
    );
    try {
      const { url, process } = this.#options;
      const pid = process === undefined ? this.#options.pid : await namedProcess(process);
      const { facts, recordIn } = await findFacts(calls, info, { url, address: this.#address, pid });
      const meter = facts.pid === undefined ? undefined : new ProcessMeter(facts.pid);
      this.#running = { calls, facts, recordIn, meter };
      return this.#running;
    } catch (error) {
      await calls.close();
      throw error;
    }
  }

  #reconnected(sameSession: boolean): void {
    if (sameSession) {
      this.#events.tellNow('reconnected', 'the same session goes on');
    } else {
      this.#ours.clear();
      this.#events.tellNow('sessions-lost', 'the media server has started anew and knows no session of before');
    }
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { calls } = this.#needRunning('openSession');
    const { maxVideoKbps } = this.#options;
    const shelf = this.recordings?.shelf;
    const opened = await KurentoSession.open(
      {
        session,
        calls,
        tag: tagOf(this.#self),
        maxVideoKbps,
        shelf,
        onEvent: this.#events.tell,
        onCreated: (pipeline) => this.#ours.add(pipeline),
        onClosed: (pipeline) => this.#ours.delete(pipeline),
      },
      signal,
    );
    this.recordings?.add(opened);
    return opened;
  }

  async reset(signal: AbortSignal, { anew = true }: ResetHow = {}): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const restartMs = anew ? await this.#restart(signal) : undefined;
    const running = this.#needRunning('reset');
    if (restartMs !== undefined) await this.#openShelf(running);
    await this.recordings?.discard();
    const { orphans, foreign } = await this.#clean(running, signal);
    this.#events.tellCleaned({ orphans: 0, foreign });
    const readCores = () => readServerCores(running, running.facts.pid, signal);
    const resting = { foreign, readCores, withinMs: this.#options.idleWithinMs, meter: running.meter };
    const atRest = await readAtRest(resting, signal);
    return {
      // After a restart it lists nothing of ours, too; that it is another process says more.
      how: restartMs === undefined ? 'listed' : 'restarted',
      tookMs: performance.now() - startedAtMs,
      released: orphans,
      foreign,
      ...atRest,
      ...given({ restartMs }),
    };
  }

  /** Ends our connection first, so that its loss is no event; then waits until the server is there again. */
  async #restart(signal: AbortSignal): Promise<number | undefined> {
    const { restartCommand: command, restartWithinMs: withinMs } = this.#options;
    if (command === undefined) return undefined;
    const { calls } = this.#needRunning('reset');
    const startedAtMs = performance.now();
    await calls.close();
    this.#ours.clear();
    await restart({ command, withinMs, connect: (late) => this.#connect(late) }, signal);
    return performance.now() - startedAtMs;
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

  readonly resources = (): Promise<ServerReading> => readResources(this.#needRunning('resources'));

  #needRunning(what: string): Running {
    if (this.#running !== undefined && this.#stopped === undefined) return this.#running;
    throw notStarted(what, this.#options.url);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const calls = this.#running?.calls;
    if (calls === undefined) return;
    const releases = Promise.allSettled([...this.#ours].map((pipeline) => calls.release(pipeline)));
    await atMost(farewellMs, releases);
    await calls.close();
    await this.recordings?.close();
  }
}
