import { hostname } from 'node:os';
import { pid as ownPid } from 'node:process';
import { atMost } from '../host/bounded-wait.js';
import type { ServerReading } from '../model/evidence.js';
import type { ResetProof } from '../model/reset-proof.js';
import type { ServerFacts } from '../model/run.js';
import type { Session } from '../model/scenario.js';
import { AskedServer } from './asked-server.js';
import { coresOfProcess, readAtRest } from './evidence/idleness.js';
import { ProcessMeter } from './evidence/process-resources.js';
import type { MediaServer, ResetHow, ServerSession } from './media-server.js';
import type { ShelfPlace } from './recordings/recording-shelf.js';
import { ServerRecordings } from './recordings/server-recordings.js';
import type { Cleaned } from './server-events.js';
import type { Owner } from './session-owner.js';

/** Ending at the end is best effort: most servers end by themselves what is lost with its connection. */
const farewellMs = 3000;

export type Running<Connected> = Connected & { readonly meter: ProcessMeter | undefined };

/** What holds where nothing else is said, in ms: how long anything may take. */
export const listingDefaults = {
  /** Any one request. */
  requestTimeoutMs: 10_000,
  /** Connecting, and finding out what is there. */
  connectTimeoutMs: 4000,
  /** A reset. */
  cleanWithinMs: 10_000,
  /** Coming to rest of the CPU in a reset. */
  idleWithinMs: 15_000,
};

export interface ListingOptions extends Partial<typeof listingDefaults> {
  /** `janus://host:8188` and its relatives. */
  readonly url: string;
  /** Which process of this host it is, as of `namedProcess`; absent: found by its port. */
  readonly process?: string;
  /** Record what each participant sends. */
  readonly record?: boolean;
}

/** A server that lists what it holds, which shows that nothing of ours is left. */
export abstract class ListingServer<
    Options extends ListingOptions & typeof listingDefaults,
    Connected extends { readonly facts: ServerFacts },
  >
  extends AskedServer<Running<Connected>>
  implements MediaServer
{
  protected readonly self: Owner = { host: hostname(), pid: ownPid };
  readonly recordings?: ServerRecordings;

  constructor(protected readonly options: Options) {
    super(options.url);
    if (options.record === true) this.recordings = new ServerRecordings();
  }

  abstract openSession(session: Session, signal: AbortSignal): Promise<ServerSession>;
  protected abstract connect(signal: AbortSignal): Promise<Connected>;
  protected abstract hangUp(running: Connected): Promise<void>;
  /** Until nothing of ours is listed. */
  protected abstract clean(running: Connected, signal: AbortSignal): Promise<Cleaned>;
  protected abstract read(running: Running<Connected>): Promise<ServerReading>;

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const running = await this.connectAnew(signal);
    try {
      this.events.tellCleaned(await this.clean(running, signal));
      await this.recordings?.open(this.shelfPlace(running));
    } catch (error) {
      this.running = undefined;
      await this.hangUp(running);
      throw error;
    }
    return running.facts;
  }

  protected async connectAnew(signal: AbortSignal): Promise<Running<Connected>> {
    const connected = await this.connect(signal);
    const { pid } = connected.facts;
    this.running = { ...connected, meter: pid === undefined ? undefined : new ProcessMeter(pid) };
    return this.running;
  }

  protected shelfPlace({ facts: { sameHost, pid } }: Connected): ShelfPlace {
    return { place: sameHost ? 'perhaps-here' : 'elsewhere', serverPid: pid };
  }

  async reset(signal: AbortSignal, _how?: ResetHow): Promise<ResetProof> {
    const startedAtMs = performance.now();
    await this.recordings?.discard();
    const { orphans, foreign } = await this.cleanBetween(this.needRunning('reset'), signal);
    this.events.tellCleaned({ orphans: 0, foreign });
    const running = this.needRunning('reset');
    const readCores = () => this.coresNow(running, signal);
    const resting = { foreign, readCores, withinMs: this.options.idleWithinMs, meter: running.meter };
    const atRest = await readAtRest(resting, signal);
    return { how: 'listed', tookMs: performance.now() - startedAtMs, released: orphans, foreign, ...atRest };
  }

  /** Between trials. */
  protected cleanBetween(running: Running<Connected>, signal: AbortSignal): Promise<Cleaned> {
    return this.clean(running, signal);
  }

  /** Cores in use over a moment; `undefined` where nobody says. */
  protected coresNow({ facts }: Connected, signal: AbortSignal): Promise<number | undefined> {
    return coresOfProcess(facts.pid, signal);
  }

  readonly resources = async (): Promise<ServerReading> => this.read(this.needRunning('resources'));

  protected async leave(running: Running<Connected>): Promise<void> {
    for (const end of this.endings(running))
      await atMost(
        farewellMs,
        end().catch(() => undefined),
      );
    await this.hangUp(running);
    await this.recordings?.close();
  }

  /** One after the other, and each in its own time. */
  protected endings(running: Connected): readonly (() => Promise<unknown>)[] {
    return [() => this.clean(running, new AbortController().signal)];
  }
}
