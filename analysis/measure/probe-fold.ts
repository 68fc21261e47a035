import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import { isAway, type Sample, type StreamSample } from '../../model/sample.js';
import { type FoldedWindow, type FoldStores, statesAt } from './folded-window.js';
import type { KeptStates, StreamCounts } from './kept-states.js';
import { LossFold } from './loss-fold.js';
import type { MetricSums } from './metric-sums.js';
import { withPossibleRoundTrips } from './possible-round-trips.js';
import { countEnded, countSample, type GrowingTally, isLate, noTally, type ProbeTally } from './probe-tally.js';
import { SeatedFold } from './seated-fold.js';
import { readingOf, StreamFold, type StreamSeconds, streamIn } from './stream-fold.js';

/**
 * How far before the window readings are looked at. A receiver report in the window counts what was lost since the
 * report before, so what was sent since then is part of it; they come every 7.5 s at least (RFC 3550 6.2), and 30 s let
 * some of them be lost.
 */
export const leadMs = 30_000;

/** A stream in a window that ended at some time. */
export interface StreamState extends StreamCounts {
  readonly expected: ExpectedStream;
  readonly values: () => Aggregates;
  /** Absent of a moment that has passed. */
  readonly sums?: MetricSums;
  readonly seconds?: StreamSeconds | undefined;
}

export interface ProbeState {
  readonly tally: ProbeTally;
  readonly streams: readonly StreamState[];
}

/** The page reads once a second; twice as many readings as that never come. */
const mostReadingsPerSecond = 2;

/**
 * The samples of one probe, folded as they come: what is kept grows with its streams, and not with time. What comes of
 * it depends on the samples and their order alone, and not on when the window was begun, ended or looked at: so a trial
 * that is judged again from its file, in the order in which it was folded, is judged as it was.
 */
export class ProbeFold {
  /** Of each stream that is expected, in their order. */
  private readonly losses: readonly LossFold[];
  /** Of what is received, once others join beside it. */
  private readonly seated: (SeatedFold | undefined)[] = [];
  private streams: readonly StreamFold[] | undefined;
  private window: FoldedWindow | undefined;
  /** Of the samples of the window, and of all. */
  private foldedMs = Number.NEGATIVE_INFINITY;
  private lastMs = Number.NEGATIVE_INFINITY;
  isInOrder = true;
  private readonly tally: GrowingTally = { ...noTally };
  /** Ends and halts that were passed, in their order: where in its store each state is, and whether it was lost. */
  private readonly ended: number[] = [];
  private readonly wasLost: boolean[] = [];

  constructor(
    private readonly expected: readonly ExpectedStream[],
    private readonly stores: FoldStores,
    keepsSeconds: boolean,
  ) {
    this.losses = expected.map(() => new LossFold(keepsSeconds ? [] : undefined));
  }

  /** In order of time. */
  add(stored: Sample): void {
    const { window } = this;
    const sample = withPossibleRoundTrips(stored);
    const { atMs, intervalMs } = sample;
    if (atMs < this.lastMs) this.isInOrder = false;
    this.lastMs = atMs;
    if (window) this.pass(window, Math.min(atMs, window.endMs));
    if (window && atMs > window.endMs) return;
    const isInWindow = window !== undefined && atMs - intervalMs >= window.startMs;
    if (window && atMs > window.startMs) {
      countEnded(this.tally, sample);
      this.foldedMs = Math.max(this.foldedMs, atMs);
    }
    if (!isInWindow) this.lead(sample);
    else {
      if (this.tally.samples === 0) for (const losses of this.losses) losses.begin(window.startMs - leadMs);
      countSample(this.tally, sample, window.isDisturbed?.(sample) ?? false);
      for (const [nth, stream] of this.folds(window).entries()) stream.add(sample, nth);
    }
  }

  /** From here on samples are of the window; those that began before it still lead to it. */
  begin(window: FoldedWindow): void {
    this.window = window;
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
    const tally = this.tallyAt(endMs);
    const kept = this.keptAt(endMs);
    if (!tally) return undefined;
    if (!kept) return { tally, streams: this.now() };
    const streams = kept.states.streams(kept.place, this.expected.length);
    return {
      tally,
      streams: streams.map(({ values, ...state }, nth) => ({
        ...state,
        expected: this.expected[nth] as ExpectedStream,
        values: () => values,
      })),
    };
  }

  /** The same without its streams. */
  tallyAt(endMs: number): ProbeTally | undefined {
    const kept = this.keptAt(endMs);
    if (kept) return kept.states.tally(kept.place);
    return this.foldedMs > endMs ? undefined : { ...this.tally };
  }

  /** False where more was folded already and nobody had said that it would be asked. */
  isLostAt(haltMs: number): boolean {
    const kept = this.wasLost[this.window?.halts?.indexOf(haltMs) ?? -1];
    return kept ?? (this.foldedMs <= haltMs && this.isLostNow(haltMs));
  }

  /** Made when the first of them is needed: for all probes at once, when the window begins, it would take long. */
  private folds(window: FoldedWindow): readonly StreamFold[] {
    const { startMs, endMs, keepsSeconds = false } = window;
    const { sums } = this.stores;
    const mostReadings = Math.ceil((mostReadingsPerSecond * (endMs - startMs)) / 1000) + mostReadingsPerSecond;
    this.streams ??= this.expected.map(
      (stream, nth) =>
        new StreamFold(stream, {
          losses: this.losses[nth],
          seated: this.seated[nth],
          keepsSeconds,
          mostReadings,
          numbers: sums,
        }),
    );
    return this.streams;
  }

  private now(): readonly StreamState[] {
    return (this.window ? this.folds(this.window) : []).map((stream) => ({
      expected: stream.expected,
      count: stream.readings.count,
      readMs: stream.readings.readMs,
      unreportedMs: stream.unreportedMs,
      unknown: stream.readings.unknown,
      foreignSender: stream.readings.marks?.foreignSender,
      looks: stream.readings.marks?.looks,
      values: () => stream.values(),
      sums: stream.readings.sums,
      seconds: stream.seconds(),
    }));
  }

  private isLostNow(haltMs: number): boolean {
    const { window, tally } = this;
    if (!window?.isLost || tally.samples === 0) return false;
    return window.isLost(this.folds(window), tally.lastMs, haltMs);
  }

  /** Before the window; also a second that began before it, and was told late. */
  private lead(sample: Sample): void {
    if (this.tally.samples > 0) return;
    for (const [nth, stream] of this.expected.entries()) {
      const found = streamIn(sample, stream, nth);
      if (stream.direction === 'send') this.losses[nth]?.lead(readingOf(sample, stream, found));
      else if (this.stores.joining.untilMs >= sample.atMs) this.seat(sample, nth, found);
    }
  }

  /** While others join. What a page saw late it may have shown late itself. */
  private seat(sample: Sample, nth: number, found: StreamSample | undefined): void {
    const stream = this.expected[nth];
    if (!stream || isLate(sample) || (found && isAway(found))) return;
    this.seated[nth] ??= new SeatedFold(stream.kind);
    this.seated[nth].add(readingOf(sample, stream, found));
  }

  private keptAt(endMs: number): { readonly states: KeptStates; readonly place: number } | undefined {
    const nth = this.window?.ends?.indexOf(endMs) ?? -1;
    const place = this.ended[nth];
    if (place === undefined) return undefined;
    const states = this.stores.states[nth];
    if (!states) throw new Error('what the window said at this moment was let go of');
    return { states, place };
  }

  /** Nothing is folded after an end: what the window says then is what it says now. */
  private pass(window: FoldedWindow, atMs: number): void {
    const { ends = [], halts = [] } = window;
    for (let halt = halts[this.wasLost.length]; halt !== undefined && atMs > halt; halt = halts[this.wasLost.length]) {
      const isLost = this.isLostNow(halt);
      this.wasLost.push(isLost);
      this.stores.isAnyLost ||= isLost;
    }
    for (let end = ends[this.ended.length]; end !== undefined && atMs > end; end = ends[this.ended.length]) {
      const states = statesAt(this.stores, window, this.ended.length);
      this.ended.push(states ? this.keepIn(states) : Number.NaN);
    }
  }

  private keepIn(states: KeptStates): number {
    const streams = this.now().map(({ values, seconds: _, ...state }) => ({ ...state, values: values() }));
    return states.keep(this.tally, streams);
  }
}
