import {
  type Evidence,
  type ProbeHostReading,
  type ScrapedReading,
  type ServerReading,
  type TurnReading,
  withoutEmpty,
} from '../model/evidence.js';
import { hostOf } from '../model/probe-host.js';
import { bounded } from './bounded.js';
import type { Clock } from './parts.js';

const everyMs = 1000;
/** A reading that takes longer is not waited for. It says itself when it was taken. */
const readingBoundMs = 3000;

/** What is read, each once a second. */
interface EvidenceSources {
  readonly hosts: () => Promise<readonly ProbeHostReading[]>;
  readonly server: () => Promise<ServerReading | undefined>;
  readonly turn: () => Promise<TurnReading | undefined>;
  readonly scraped: () => Promise<readonly ScrapedReading[]>;
}

/**
 * Reads the probe hosts, the media server and the relay between them once a second. A reading that fails is absent; it
 * neither ends the trial nor becomes a zero. The next of a source begins when the one before has come. One that comes
 * late is kept: most are differences, and without it what they count would be lost.
 */
export class EvidenceWatch {
  private readonly probeHost: ProbeHostReading[] = [];
  private readonly server: ServerReading[] = [];
  private readonly turn: TurnReading[] = [];
  private readonly scraped: ScrapedReading[] = [];
  private readonly lastOfHosts = new LastOfEach(this.probeHost, hostOf);
  private readonly lastOfPages = new LastOfEach(this.scraped, ({ source }) => source);
  private readonly underWay = new Set<unknown>();
  private readonly ended = new AbortController();
  private loop: Promise<void> | undefined;

  /** `onSecond` is called after each second's readings. */
  constructor(
    private readonly clock: Clock,
    private readonly sources: EvidenceSources,
    private readonly onSecond: () => void,
  ) {}

  start(): void {
    this.loop ??= this.run();
  }

  evidence(): Evidence {
    const { probeHost, server, turn, scraped } = this;
    return withoutEmpty({ probeHost: [...probeHost], server: [...server], turn: [...turn], scraped: [...scraped] });
  }

  /** The last reading of each machine and page; none of one that was never read. */
  latest(): Evidence {
    const [server, turn] = [this.server.slice(-1), this.turn.slice(-1)];
    return withoutEmpty({ probeHost: this.lastOfHosts.now(), server, turn, scraped: this.lastOfPages.now() });
  }

  /** Idempotent; resolves when no reading is waited for. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.ended;
    const { hosts, server, turn, scraped } = this.sources;
    let dueMs = this.clock.nowMs();
    while (!signal.aborted) {
      await Promise.all([
        this.read(hosts, this.probeHost),
        this.read(one(server), this.server),
        this.read(one(turn), this.turn),
        this.read(scraped, this.scraped),
      ]);
      if (signal.aborted) return;
      this.onSecond();
      const nowMs = this.clock.nowMs();
      dueMs = Math.max(dueMs + everyMs, nowMs);
      await this.clock.sleep(dueMs - nowMs, signal).catch(() => undefined);
    }
  }

  private async read<T>(read: () => Promise<readonly T[]>, into: T[]): Promise<void> {
    if (this.underWay.has(into)) return;
    this.underWay.add(into);
    const coming = read()
      .then((readings) => into.push(...readings))
      .catch(() => undefined)
      .finally(() => this.underWay.delete(into));
    await bounded(this.clock, readingBoundMs, () => coming);
  }
}

/** What was not read is none. */
function one<T>(read: () => Promise<T | undefined>): () => Promise<readonly T[]> {
  return async () => {
    const reading = await read();
    return reading === undefined ? [] : [reading];
  };
}

/** The last reading of each source. Readings grow; each is looked at once. */
class LastOfEach<T> {
  private readonly last = new Map<string, T>();
  private looked = 0;

  constructor(
    private readonly readings: readonly T[],
    private readonly sourceOf: (reading: T) => string,
  ) {}

  now(): readonly T[] {
    for (const reading of this.readings.slice(this.looked)) this.last.set(this.sourceOf(reading), reading);
    this.looked = this.readings.length;
    return [...this.last.values()];
  }
}
