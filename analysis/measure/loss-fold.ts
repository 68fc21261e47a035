import { burstMs, LossScan, percentLost } from './loss.js';
import { type LossSpan, LossTracker } from './loss-spans.js';
import { SpanQueue } from './span-queue.js';
import type { StreamReading } from './stream-reading.js';

/** A loss that is younger than this, counted from the last one, may still be told as repaired. */
export const mayBeRepairedMs = 3000;

/** Loss of one stream, second by second. Only spans of the last seconds are kept, because they may still change. */
export class LossFold {
  private readonly tracker = new LossTracker();
  private readonly earlier = new LossScan();
  private readonly recent = new SpanQueue();
  private lostSome = false;

  /** @param kept every span that is final, for those who look at parts of a window */
  constructor(private readonly kept?: LossSpan[]) {}

  /** A second before the window. */
  lead(reading: StreamReading): void {
    this.tracker.add(reading);
  }

  begin(earliestMs: number): void {
    this.tracker.begin(earliestMs);
  }

  add(reading: StreamReading): void {
    for (const span of this.tracker.add(reading)) {
      this.kept?.push(span);
      if (span.lost > 0) this.lostSome = true;
      // A span without loss has nothing to repair. So most streams never have one that waits.
      if (span.lost <= 0 && this.recent.length === 0) this.earlier.add(span);
      else this.wait(span);
    }
  }

  private wait(span: LossSpan): void {
    this.recent.push(span);
    while (this.recent.toMs(0) <= span.toMs - mayBeRepairedMs) {
      this.earlier.add(this.recent.at(0));
      this.recent.dropFirst();
    }
  }

  /** When the receiver counted last. */
  get lastMs(): number | undefined {
    const { length } = this.recent;
    return this.tracker.restMs ?? (length > 0 ? this.recent.toMs(length - 1) : this.earlier.lastMs);
  }

  all(): LossScan {
    return this.earlier.with(this.latest());
  }

  /** All spans, where they are kept. */
  spans(): readonly LossSpan[] {
    return [...(this.kept ?? []), ...this.tracker.rest()];
  }

  /**
   * As if every loss that was counted last were repaired, none came after it, and the rest were as many packets as can
   * be. Last is when the receiver counted last: what a server's report says lost can be told as repaired by its next
   * one.
   */
  leastPercent(mostPackets: number): number | undefined {
    if (!this.mayHaveLost()) return undefined;
    let { lost, expected } = this.earlier;
    for (const span of this.repaired(() => true)) {
      lost += span.lost;
      expected += span.expected;
    }
    // What came instead of being lost was expected all the same.
    return lost <= 0 ? undefined : percentLost({ lost, expected: expected + mostPackets });
  }

  /**
   * Where resent packets are counted apart, a loss of the last seconds may still be taken off where it stands.
   * `undefined` where nothing was ever lost, too.
   */
  leastWorstPercent5s(): number | undefined {
    if (!this.mayHaveLost()) return undefined;
    const scan = this.earlier.with(this.repaired(({ resentApart }) => resentApart));
    return scan.coveredMs < burstMs ? undefined : scan.worstPercent5s;
  }

  /** Most streams lose nothing; of thousands this is asked each few seconds. */
  private mayHaveLost(): boolean {
    return this.lostSome || this.tracker.rest().some(({ lost }) => lost > 0);
  }

  private repaired(canBe: (span: LossSpan) => boolean): readonly LossSpan[] {
    const lastMs = this.lastMs ?? 0;
    const mayBe = (span: LossSpan) => span.toMs > lastMs - mayBeRepairedMs && canBe(span);
    return this.latest().map((span) => (mayBe(span) ? { ...span, lost: Math.min(0, span.lost) } : span));
  }

  private latest(): readonly LossSpan[] {
    return [...this.recent.all(), ...this.tracker.rest()];
  }
}
