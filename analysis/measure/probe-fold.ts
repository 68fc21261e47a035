import type { Aggregates } from '../../model/aggregate.js';
import type { Sample } from '../../model/sample.js';
import type { Bounds } from './bounds.js';
import type { ExpectedStream } from './expected-streams.js';
import { LossFold } from './loss-fold.js';
import { type PackedValues, unpacked, type ValuePacker } from './packed-values.js';
import { withPossibleRoundTrips } from './possible-round-trips.js';
import { countEnded, countSample, type GrowingTally, noTally, type ProbeTally } from './probe-tally.js';
import { readingOf, StreamFold, type StreamSeconds, streamIn } from './stream-fold.js';

/**
 * How far before the window readings are looked at. A receiver report in the window counts what was lost since the
 * report before, so what was sent since then is part of it; they come every 7.5 s at least (RFC 3550 6.2), and 30 s let
 * some of them be lost.
 */
export const leadMs = 30_000;

/** The window that samples are folded over, and what is to be known of it besides its end. Epoch milliseconds. */
export interface FoldedWindow {
  readonly startMs: number;
  /** As planned; it may end before. Nothing after it is looked at. */
  readonly endMs: number;
  /** When else it may end: what the window until then says is kept. */
  readonly ends?: readonly number[];
  /** Until when it is asked what the rest can still change. */
  readonly halts?: readonly number[];
  /** What the rest of the window can still make of a stream whose probe was read last at this time. */
  readonly boundsOf?: (stream: StreamFold, lastMs: number) => Bounds;
  /** Whether something was amiss on the probe side in this second. */
  readonly isDisturbed?: (sample: Sample) => boolean;
  /** Whether each second of each stream is kept, for who looks at the window second by second. */
  readonly keepsSeconds?: boolean;
}

/** A stream in a window that ended at some time. */
export interface StreamState {
  readonly expected: ExpectedStream;
  /** Seconds that it was there. */
  readonly count: number;
  readonly readMs: number;
  readonly values: () => Aggregates;
  readonly bounds: () => Bounds | undefined;
  readonly seconds?: StreamSeconds | undefined;
}

export interface ProbeState {
  readonly tally: ProbeTally;
  readonly streams: readonly StreamState[];
}

/** What a window said at some moment, of all streams of the probe. */
interface KeptState {
  readonly tally: ProbeTally;
  /** Of each stream one. */
  readonly counts: readonly number[];
  readonly readMs: readonly number[];
  readonly values?: PackedValues;
  readonly lowest?: PackedValues;
  readonly highest?: PackedValues;
}

/**
 * The samples of one probe, folded as they come: what is kept grows with its streams, and not with time. What comes of it
 * depends on the samples and their order alone, and not on when the window was begun, ended or looked at: so a trial that
 * is judged again from its file, in the order in which it was folded, is judged as it was.
 */
export class ProbeFold {
  private readonly leads: ReadonlyMap<ExpectedStream, LossFold>;
  private streams: readonly StreamFold[] = [];
  private window: FoldedWindow | undefined;
  /** Of the samples of the window, and of all. */
  private foldedMs = Number.NEGATIVE_INFINITY;
  private lastMs = Number.NEGATIVE_INFINITY;
  isInOrder = true;
  private readonly tally: GrowingTally = { ...noTally };
  private cuts: readonly number[] = [];
  private passed = 0;
  private readonly kept = new Map<number, KeptState>();

  constructor(
    private readonly expected: readonly ExpectedStream[],
    private readonly packer: ValuePacker,
    keepsSeconds: boolean,
  ) {
    this.leads = new Map(expected.map((stream) => [stream, new LossFold(keepsSeconds ? [] : undefined)]));
  }

  /** In order of time. */
  add(stored: Sample): void {
    const { window } = this;
    const sample = withPossibleRoundTrips(stored);
    const { atMs, intervalMs } = sample;
    if (atMs < this.lastMs) this.isInOrder = false;
    this.lastMs = atMs;
    if (window) this.passCuts(Math.min(atMs, window.endMs));
    if (window && atMs > window.endMs) return;
    const isInWindow = window !== undefined && atMs - intervalMs >= window.startMs;
    if (window && atMs > window.startMs) {
      countEnded(this.tally, sample);
      this.foldedMs = Math.max(this.foldedMs, atMs);
    }
    if (!isInWindow) this.lead(sample);
    else {
      if (this.tally.samples === 0) for (const losses of this.leads.values()) losses.begin(window.startMs - leadMs);
      countSample(this.tally, sample, window.isDisturbed?.(sample) ?? false);
      for (const stream of this.streams) stream.add(sample);
    }
  }

  /** From here on samples are of the window; those that began before it still lead to it. */
  begin(window: FoldedWindow): void {
    this.window = window;
    const { startMs, ends = [], halts = [], keepsSeconds = false } = window;
    this.cuts = [...new Set([...ends, ...halts])].sort((a, b) => a - b);
    this.streams = this.expected.map((stream) => {
      const losses = this.leads.get(stream) ?? new LossFold();
      return new StreamFold(stream, startMs, { losses, keepsSeconds });
    });
  }

  /** The window ends then, before its planned end. */
  end(endMs: number): void {
    if (this.window) this.window = { ...this.window, endMs: Math.min(endMs, this.window.endMs) };
  }

  /**
   * What the window says when it ends then. `undefined` where more was folded already and nobody had said that it may
   * end there.
   */
  at(endMs: number): ProbeState | undefined {
    const kept = this.kept.get(endMs);
    if (kept) return { tally: kept.tally, streams: this.expected.map((stream, nth) => stateOfKept(kept, stream, nth)) };
    return this.foldedMs > endMs ? undefined : this.now();
  }

  private now(): ProbeState {
    const { window } = this;
    const tally = { ...this.tally };
    const streams = this.streams.map((stream) => ({
      expected: stream.expected,
      count: stream.readings.count,
      readMs: stream.readings.readMs,
      values: () => stream.values(),
      bounds: () => (tally.samples === 0 ? undefined : window?.boundsOf?.(stream, tally.lastMs)),
      seconds: stream.seconds(),
    }));
    return { tally, streams };
  }

  /** Before the window; also a second that began before it, and was told late. */
  private lead(sample: Sample): void {
    if (this.tally.samples > 0) return;
    for (const [stream, losses] of this.leads) {
      if (stream.direction === 'send') losses.lead(readingOf(sample, stream, streamIn(sample, stream)));
    }
  }

  /** Nothing is folded after the end: what the window says then is what it says now. */
  private passCuts(atMs: number): void {
    for (let cut = this.cuts[this.passed]; cut !== undefined && atMs > cut; cut = this.cuts[this.passed]) {
      this.kept.set(cut, this.keptNow(cut));
      this.passed += 1;
    }
  }

  private keptNow(cut: number): KeptState {
    const isEnd = this.window?.ends?.includes(cut) ?? false;
    const isHalt = this.window?.halts?.includes(cut) ?? false;
    const { tally, streams } = this.now();
    const found = isHalt ? streams.flatMap((stream) => stream.bounds() ?? []) : [];
    const areBound = found.length > 0;
    return {
      tally,
      counts: streams.map(({ count }) => count),
      readMs: streams.map(({ readMs }) => readMs),
      ...(isEnd ? { values: this.packer.pack(streams.map(({ values }) => values())) } : {}),
      ...(areBound ? { lowest: this.packer.pack(found.map(({ lowest }) => lowest)) } : {}),
      ...(areBound ? { highest: this.packer.pack(found.map(({ highest }) => highest)) } : {}),
    };
  }
}

function stateOfKept(kept: KeptState, expected: ExpectedStream, nth: number): StreamState {
  const { values, lowest, highest } = kept;
  return {
    expected,
    count: kept.counts[nth] ?? 0,
    readMs: kept.readMs[nth] ?? 0,
    values: () => {
      if (!values) throw new Error('nobody had said that the window may end there');
      return unpacked(values, nth);
    },
    bounds: () => (lowest && highest ? { lowest: unpacked(lowest, nth), highest: unpacked(highest, nth) } : undefined),
  };
}
