import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { StreamKind } from '../../model/scenario.js';
import { FrozenFold } from './frozen.js';
import { percentLost } from './loss.js';
import { LossTracker } from './loss-spans.js';
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
  private wasSilent = false;
  private readonly losses = new LossTracker();
  private readonly all = { lost: 0, expected: 0 };
  /** Of sound, in seconds with packets: what was lost in silence is counted with the packet after it. */
  private readonly heard = { lost: 0, expected: 0 };
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
    const isSilent = !reading.stream || packets === 0;
    for (const span of this.losses.add(reading)) addTo(this.all, span);
    const { packetsLost: lost = 0 } = metrics;
    if (!isSilent && !this.wasSilent) addTo(this.heard, { lost, expected: (packets ?? 0) + lost });
    this.wasSilent = isSilent;
    if (isSilent) {
      this.silentMs += intervalMs;
      return;
    }
    if (concealed !== undefined) this.concealed = (this.concealed ?? 0) + concealed;
    this.played += metrics.totalSamples ?? 0;
  }

  values(): Aggregates {
    const { readMs } = this;
    if (readMs === 0) return {};
    const all = { ...this.all };
    for (const span of this.losses.rest()) addTo(all, span);
    const gapMs = this.kind === 'video' ? this.frozen?.time()?.totalMs : this.unheardMs();
    return onlyMeasured({
      seatedGapPercent: percentOf(gapMs, Math.max(readMs, leastSpanMs)),
      seatedGapMs: gapMs,
      seatedLossPercent: percentLost(all),
    });
  }

  /** Seconds without packets; of the others what was made up for, where a browser says it, else what was lost. */
  private unheardMs(): number {
    const { concealed, played, readMs, silentMs } = this;
    const isSaid = concealed !== undefined && played > 0;
    const share = isSaid ? concealed / played : (percentLost(this.heard) ?? 0) / 100;
    return silentMs + share * (readMs - silentMs);
  }
}

interface Loss {
  lost: number;
  expected: number;
}

function addTo(sums: Loss, { lost, expected }: Loss): void {
  sums.lost += lost;
  sums.expected += expected;
}
