import type { FoldedWindow } from '../analysis/measure/folded-window.js';
import { SampleFold } from '../analysis/measure/sample-fold.js';
import { Settling } from '../analysis/measure/settled.js';
import type { InSteps } from '../model/in-steps.js';
import { comeAndGo } from '../model/load.js';
import type { Plan } from '../model/plan.js';
import { isAway, type Sample } from '../model/sample.js';
import type { Participant } from '../model/scenario.js';
import { Asks } from './asks.js';
import { OrderedSamples } from './ordered-samples.js';

const mostNamed = 5;

/**
 * The samples of one trial as they come. They are put in order, folded for the judge and stored; what is kept of them
 * in memory is what was folded, what each probe received in its last second, and until the window begins the rates of
 * its last seconds.
 */
export class SampleIntake {
  private folded: SampleFold;
  readonly asks: Asks;
  private settling: Settling | undefined;
  private readonly ordered = new OrderedSamples();
  private readonly last = new LastSeconds();
  /** Who has reached the server over TCP. */
  private readonly tcp = new Set<string>();

  /** @param store is given what was folded, in the order in which it was */
  constructor(
    participants: readonly Participant[],
    { media, search, load }: Plan,
    private readonly store: (samples: readonly Sample[]) => void,
  ) {
    this.folded = new SampleFold(
      participants,
      search.strategy === 'ramp',
      comeAndGo(load) ? Number.NEGATIVE_INFINITY : undefined,
    );
    this.settling = new Settling(participants, media);
    this.asks = new Asks(participants);
  }

  get fold(): SampleFold {
    return this.folded;
  }

  /** The trial was judged: what was folded is not asked for again, and its memory is there for the record. */
  release(): void {
    this.folded = new SampleFold([]);
  }

  add(told: readonly Sample[], nowMs: number): void {
    const samples = told.map((sample) => this.asks.marked(sample));
    for (const sample of samples) {
      this.settling?.add(sample);
      this.last.add(sample);
      if (sample.legs.some(({ protocol }) => protocol === 'tcp')) this.tcp.add(sample.probe);
    }
    this.take(this.ordered.add(samples, nowMs));
  }

  /** All that have come and end until then are folded. */
  passUntil(atMs: number): void {
    this.take(this.ordered.until(atMs));
  }

  /** A sentence about what came too late or twice; `undefined` when nothing did. */
  leftOut(): string | undefined {
    const counts = this.ordered.leftOut();
    if (counts.size === 0) return undefined;
    const named = [...counts].slice(0, mostNamed).map(([probe, count]) => `${count} of ${probe}`);
    const others = counts.size > mostNamed ? ` and those of ${counts.size - mostNamed} more probes` : '';
    return `Samples that came after later ones, twice, or of a time that had not come were left out: ${named.join(', ')}${others}. Their seconds count as not measured.`;
  }

  /** A sentence about media that went over TCP; `undefined` where none did. */
  overTcp(): string | undefined {
    if (this.tcp.size === 0) return undefined;
    const [first = ''] = this.tcp;
    const who = this.tcp.size === 1 ? `${first} reached` : `${first} and ${this.tcp.size - 1} more probes reached`;
    return `${who} the media server over TCP, as no UDP got through. What a network loses comes late there: no loss is seen, and delays are longer. Give the server an address that UDP reaches.`;
  }

  private take(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    for (const sample of samples) this.fold.add(sample);
    this.store(samples);
  }

  /** Whether rates have stopped growing; nobody asks once the window has begun. */
  *isSettled(nowMs: number): InSteps<boolean> {
    return this.settling ? yield* this.settling.settling(nowMs) : false;
  }

  joined(atMs: number): void {
    this.fold.joined(atMs);
  }

  windowBegan(window: FoldedWindow): void {
    this.settling = undefined;
    this.fold.begin(window);
  }

  windowGoesOn(afterMs: number): void {
    this.fold.letGo(afterMs);
  }

  windowEnded(endMs: number): void {
    this.fold.end(endMs);
  }

  lastSecond(nowMs: number): LastSecond {
    return this.last.at(nowMs);
  }
}

/** Older samples are stale. */
const freshMs = 2500;

interface LastSecond {
  /** Lowest of all received video streams but shared screens, on which slides change seldom. */
  readonly worstFps?: number;
}

/** What a probe received in its last second. Not a number where it was not said: those stand where they stood. */
interface Received {
  atMs: number;
  worstFps: number;
}

/** How all probes fare now, for watchers. Samples are not kept: at most one a second is looked at again. */
class LastSeconds {
  private readonly probes = new Map<string, Received>();

  add(sample: Sample): void {
    const { probe, atMs, intervalMs } = sample;
    const known = this.probes.get(probe);
    if (known && known.atMs >= atMs) return;
    const own = known ?? { atMs, worstFps: Number.NaN };
    if (!known) this.probes.set(probe, own);
    let worstFps: number | undefined;
    for (const stream of sample.streams) {
      if (stream.direction !== 'receive' || stream.kind !== 'video' || stream.screen || isAway(stream)) continue;
      const { framesDecoded } = stream.metrics;
      if (framesDecoded === undefined) continue;
      worstFps = Math.min(worstFps ?? Number.POSITIVE_INFINITY, (framesDecoded * 1000) / intervalMs);
    }
    own.atMs = atMs;
    own.worstFps = worstFps ?? Number.NaN;
  }

  at(nowMs: number): LastSecond {
    let worst: number | undefined;
    for (const { atMs, worstFps } of this.probes.values()) {
      if (atMs > nowMs - freshMs && !Number.isNaN(worstFps)) worst = Math.min(worst ?? worstFps, worstFps);
    }
    return worst === undefined ? {} : { worstFps: worst };
  }
}
