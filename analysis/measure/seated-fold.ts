import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { StreamKind } from '../../model/scenario.js';
import { FrozenFold } from './frozen.js';
import { percentLost } from './loss.js';
import { beginningMs } from './stays.js';
import { isScreen, metricsOf, percentOf, type StreamReading } from './stream-reading.js';

/** Misses while others join are held against at least a minute, so that a freeze weighs the same however many join. */
const leastSpanMs = 60_000;

/** One received stream from shortly after it came until the last join: what the joining of others did to it. */
export class SeatedFold {
  private seatedFromMs: number | undefined;
  private frozen: FrozenFold | undefined;
  private readMs = 0;
  private silentMs = 0;
  private lost = 0;
  private resent = 0;
  private received = 0;
  private concealed: number | undefined;
  private played = 0;

  constructor(private readonly kind: StreamKind) {}

  /** In order of time. */
  add(reading: StreamReading): void {
    const { atMs, intervalMs } = reading;
    const metrics = metricsOf(reading);
    const { packetsReceived: packets, concealedSamples: concealed } = metrics;
    if (this.seatedFromMs === undefined) {
      const flowing = this.kind === 'video' ? metrics.framesDecoded : packets;
      if (flowing) this.seatedFromMs = atMs + beginningMs;
      return;
    }
    if (atMs - intervalMs < this.seatedFromMs) return;
    this.readMs += intervalMs;
    if (!isScreen(reading)) {
      if (this.kind === 'video') this.frozen ??= new FrozenFold();
      this.frozen?.add(reading);
    }
    if (!reading.stream || packets === 0) this.silentMs += intervalMs;
    this.received += packets ?? 0;
    this.lost += metrics.packetsLost ?? 0;
    this.resent += metrics.resentPacketsReceived ?? 0;
    if (concealed !== undefined) this.concealed = (this.concealed ?? 0) + concealed;
    this.played += metrics.totalSamples ?? 0;
  }

  values(): Aggregates {
    const { readMs } = this;
    if (readMs === 0) return {};
    const gapMs = this.kind === 'video' ? this.frozen?.time()?.totalMs : this.unheardMs();
    return onlyMeasured({
      seatedGapPercent: percentOf(gapMs, Math.max(readMs, leastSpanMs)),
      seatedGapMs: gapMs,
      seatedLossPercent: this.lossPercent(),
    });
  }

  /** What was made up for, where a browser says it; else the packets that were lost, and seconds in which none came. */
  private unheardMs(): number {
    const { concealed, played, readMs, silentMs } = this;
    if (concealed !== undefined && played > 0) return (concealed / played) * (readMs - silentMs) + silentMs;
    return silentMs + ((this.lossPercent() ?? 0) / 100) * (readMs - silentMs);
  }

  private lossPercent(): number | undefined {
    const lost = Math.max(0, this.lost - this.resent);
    return percentLost({ lost, expected: this.received - this.resent + lost });
  }
}
