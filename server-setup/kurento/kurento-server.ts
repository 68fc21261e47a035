import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import { ListingServer, type Running } from '../listing-server.js';
import type { ResetHow, ServerSession } from '../media-server.js';
import type { ShelfPlace } from '../recordings/recording-shelf.js';
import { restart } from '../restart.js';
import type { Cleaned } from '../server-events.js';
import { tagOf } from '../session-owner.js';
import { clean } from './cleanliness.js';
import { KurentoCalls } from './kurento-calls.js';
import { type KurentoOptions, kurentoDefaults } from './kurento-options.js';
import { KurentoSession } from './kurento-session.js';
import { readResources, readServerCores } from './resources.js';
import { findFacts } from './server-facts.js';
import { parseServerUrl } from './server-url.js';

interface Connected {
  readonly calls: KurentoCalls;
  readonly facts: ServerFacts;
  readonly recordIn: string | undefined;
}

/** A Kurento media server, or anything that speaks as one. Throws E_SERVER_URL. */
export class KurentoServer extends ListingServer<KurentoOptions & typeof kurentoDefaults, Connected> {
  readonly #address: ReturnType<typeof parseServerUrl>;
  readonly #ours = new Set<string>();

  constructor(options: KurentoOptions) {
    super({ ...kurentoDefaults, ...options });
    this.#address = parseServerUrl(options.url);
  }

  protected override shelfPlace(connected: Connected): ShelfPlace {
    const { facts, recordIn: serverFolder } = connected;
    const place = super.shelfPlace(connected);
    return facts.kind === 'embedded' ? { ...place, place: 'here', serverFolder } : place;
  }

  protected async connect(signal: AbortSignal): Promise<Connected> {
    const { requestTimeoutMs, connectTimeoutMs, token } = this.options;
    const { calls, info } = await KurentoCalls.open(
      {
        address: given({ url: this.#address.webSocketUrl, token }),
        requestTimeoutMs,
        connectTimeoutMs,
        traffic: this.counted,
        onLost: (how) => this.events.tellNow('lost', `the connection to the media server was lost: ${how}`),
        onReconnected: (same) => this.#reconnected(same),
        onExcess: (detail) => this.events.tell({ kind: 'excess', atMs: Date.now(), detail }),
        onUnreadable: (shown) => {
          const detail = `a frame that is no JSON-RPC answer: ${shown}`;
          this.events.tell({ kind: 'other', atMs: Date.now(), name: 'unreadable', detail });
        },
      },
      signal,
    );
    try {
      return { calls, ...(await findFacts(calls, info, { ...this.options, address: this.#address })) };
    } catch (error) {
      await calls.close();
      throw error;
    }
  }

  #reconnected(sameSession: boolean): void {
    if (sameSession) {
      this.events.tellNow('reconnected', 'the same session goes on');
    } else {
      this.#ours.clear();
      this.events.tellNow('sessions-lost', 'the media server has started anew and knows no session of before');
    }
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const { calls } = this.needRunning('openSession');
    const { maxVideoKbps } = this.options;
    const shelf = this.recordings?.shelf;
    const opened = await KurentoSession.open(
      {
        session,
        calls,
        tag: tagOf(this.self),
        maxVideoKbps,
        shelf,
        onEvent: this.events.tell,
        onCreated: (pipeline) => this.#ours.add(pipeline),
        onClosed: (pipeline) => this.#ours.delete(pipeline),
      },
      signal,
    );
    this.recordings?.add(opened);
    return opened;
  }

  override async reset(signal: AbortSignal, { anew = true }: ResetHow = {}): Promise<ResetProof> {
    const startedAtMs = performance.now();
    const restartMs = anew ? await this.#restart(signal) : undefined;
    const proof = await super.reset(signal);
    if (restartMs === undefined) return proof;
    // It lists nothing of ours, too; that it is another process says more.
    return { ...proof, how: 'restarted', tookMs: performance.now() - startedAtMs, restartMs };
  }

  /** Ends our connection first, so that its loss is no event; then waits until the server is there again. */
  async #restart(signal: AbortSignal): Promise<number | undefined> {
    const { restartCommand: command, restartWithinMs: withinMs } = this.options;
    if (command === undefined) return undefined;
    const { calls } = this.needRunning('reset');
    const startedAtMs = performance.now();
    await calls.close();
    this.#ours.clear();
    const running = await restart({ command, withinMs, connect: (late) => this.connectAnew(late) }, signal);
    const tookMs = performance.now() - startedAtMs;
    await this.recordings?.open(this.shelfPlace(running));
    return tookMs;
  }

  protected async clean({ calls, facts }: Connected, signal: AbortSignal): Promise<Cleaned> {
    const { self, options } = this;
    const of = { calls, self, ownServer: facts.kind === 'embedded', ours: this.#ours, withinMs: options.cleanWithinMs };
    const found = await clean(of, signal);
    this.#ours.clear();
    return found;
  }

  protected override coresNow(running: Connected, signal: AbortSignal): Promise<number | undefined> {
    return readServerCores(running, running.facts.pid, signal);
  }

  protected read(running: Running<Connected>): Promise<ServerReading> {
    return readResources(running);
  }

  protected hangUp({ calls }: Connected): Promise<void> {
    return calls.close();
  }

  protected override endings({ calls }: Connected): readonly (() => Promise<unknown>)[] {
    return [() => Promise.allSettled([...this.#ours].map((pipeline) => calls.release(pipeline)))];
  }
}
