import { type LossSpan, LossTracker } from '../../analysis/measure/loss-spans.js';
import { withPossibleRoundTrips } from '../../analysis/measure/possible-round-trips.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import { isAway, type Sample, type StreamSample } from '../../model/sample.js';
import { absentCell, type CurveName, type CurveTable, curves, lastCell } from '../wire/trial-data.js';
import type { CurveStream } from './curve-streams.js';

/** Where the curves of one trial lie, epoch milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** The zero of the report's time: the start of the measured window. */
  readonly zeroMs: number;
  readonly binMs: number;
}

/** More streams than a browser receives, and more seconds between reports than happen: stored runs may lie. */
const mostStreams = 4_000;
const mostPieces = 100_000;

/**
 * Gathers samples into the curves of every probe, and of every stream that has curves of its own: what is in those is
 * not in the probe's. A cell is a quotient of two sums over its span, so that it stays right when several seconds share
 * it; a cell without a sample stays absent, never zero.
 */
export class CurveGrid {
  private readonly rows: ReadonlyMap<string, number>;
  private readonly bins: number;
  private readonly over: Float64Array<ArrayBuffer>;
  private readonly under: Float64Array<ArrayBuffer>;
  /** Of each probe's streams that were seen, by the probe's row. */
  private readonly losses: { readonly all: StreamLosses[]; readonly byKey: Map<string, StreamLosses> }[] = [];

  constructor(
    probes: readonly string[],
    private readonly span: Span,
    streams: readonly CurveStream[] = [],
  ) {
    const keys = [...probes, ...streams.map(({ probe, of }) => streamKey(probe, of))];
    this.rows = new Map(keys.map((key, index) => [key, index]));
    this.bins = binsOf(span);
    const cells = curves.length * this.rows.size * this.bins;
    this.over = new Float64Array(cells);
    this.under = new Float64Array(cells);
  }

  /** The samples of a probe in order of time. */
  add(stored: Sample): void {
    const sample = withPossibleRoundTrips(stored);
    const row = this.rows.get(sample.probe);
    if (row === undefined || sample.intervalMs <= 0) return;
    this.addLosses(sample, row);
    const bin = this.binAt(sample.atMs - sample.intervalMs / 2);
    if (bin === undefined) return;
    const own: StreamSample[] = [];
    for (const stream of sample.streams) {
      if (isAway(stream)) continue;
      const apart = this.rowOf(sample.probe, stream);
      if (apart === undefined) own.push(stream);
      else this.addRates({ ...sample, legs: [], streams: [stream] }, apart * this.bins + bin);
    }
    this.addRates({ ...sample, streams: own }, row * this.bins + bin);
  }

  /** Of a stream that has curves of its own. */
  private rowOf(probe: string, stream: StreamSample): number | undefined {
    return stream.stream === undefined ? undefined : this.rows.get(streamKey(probe, stream));
  }

  private binAt(atMs: number): number | undefined {
    return binAt(this.span, this.bins, atMs);
  }

  /** What was gathered so far; no sample comes any more. */
  sums(): CurveSums {
    for (const { row, column, of } of this.losses.flatMap(({ all }) => all)) this.putLosses(of.end(), row, column);
    this.losses.length = 0;
    return { over: this.over, under: this.under };
  }

  /** What another grid of the same probes and span has gathered of other probes. */
  addSums(sums: CurveSums): void {
    addCells({ over: this.over, under: this.under }, sums);
  }

  /** Cells of every column, quantised to 16 bits, and what a step of each column is worth. */
  table(): { readonly cells: Uint16Array; readonly table: CurveTable } {
    this.sums();
    const size = this.rows.size * this.bins;
    const cells = new Uint16Array(this.over.length);
    const steps = curves.map((_, column) => this.quantise(cells, column * size, size));
    const { fromMs, zeroMs, binMs } = this.span;
    return { cells, table: { startMs: fromMs - zeroMs, binMs, bins: this.bins, steps } };
  }

  private addRates({ intervalMs, legs, streams }: Sample, place: number): void {
    const bits = { receivedVideo: 0, receivedAudio: 0, sentVideo: 0 };
    const had = { receivedVideo: false, receivedAudio: false, sentVideo: false };
    let fps: number | undefined;
    let jitterMs: number | undefined;
    let delayMs: number | undefined;
    for (const stream of streams) {
      const key = rateKey(stream);
      const bytes = mediaBytesOf(stream);
      if (key && bytes !== undefined) {
        bits[key] += bytes * 8;
        had[key] = true;
      }
      if (stream.direction === 'send') continue;
      const { framesDecoded, jitterMs: jitter, delayMs: delay } = stream.metrics;
      if (framesDecoded !== undefined)
        fps = Math.min(fps ?? Number.POSITIVE_INFINITY, (1000 * framesDecoded) / intervalMs);
      if (jitter !== undefined) jitterMs = Math.max(jitterMs ?? 0, jitter);
      if (delay !== undefined && stream.kind === 'video') delayMs = Math.max(delayMs ?? 0, delay);
    }
    if (had.receivedVideo) this.put(0, place, bits.receivedVideo, intervalMs);
    if (had.receivedAudio) this.put(1, place, bits.receivedAudio, intervalMs);
    if (had.sentVideo) this.put(2, place, bits.sentVideo, intervalMs);
    const rtt = legs.reduce<number | undefined>(
      (most, { rttMs }) => (rttMs === undefined ? most : Math.max(most ?? 0, rttMs)),
      undefined,
    );
    if (fps !== undefined) this.put(3, place, fps * intervalMs, intervalMs);
    if (jitterMs !== undefined) this.put(7, place, jitterMs * intervalMs, intervalMs);
    if (rtt !== undefined) this.put(8, place, rtt * intervalMs, intervalMs);
    if (delayMs !== undefined) this.put(9, place, delayMs * intervalMs, intervalMs);
  }

  private addLosses({ probe, atMs, intervalMs, streams }: Sample, row: number): void {
    const { all, byKey } = this.losses[row] ?? { all: [], byKey: new Map<string, StreamLosses>() };
    this.losses[row] = { all, byKey };
    for (const [nth, stream] of streams.entries()) {
      if (isAway(stream)) continue;
      // Most samples have them in one order, and to compare one takes less than to make its key.
      let known = all[nth]?.isOf(stream) ? all[nth] : byKey.get(lossesKey(stream));
      if (known === undefined) {
        if (all.length >= mostStreams) continue;
        known = new StreamLosses(stream, this.rowOf(probe, stream) ?? row);
        all.push(known);
        byKey.set(lossesKey(stream), known);
      }
      this.putLosses(known.of.add({ atMs, intervalMs, stream }), known.row, known.column);
    }
  }

  /** A report's loss is drawn over all seconds that it covers, evenly: where in them it was lost nobody knows. */
  private putLosses(spans: readonly LossSpan[], row: number, column: number): void {
    for (const { fromMs, toMs, lost, expected } of spans) {
      const pieces = Math.min(mostPieces, Math.max(1, Math.round((toMs - fromMs) / 1000)));
      for (let piece = 0; piece < pieces; piece += 1) {
        const bin = this.binAt(fromMs + ((piece + 0.5) * (toMs - fromMs)) / pieces);
        if (bin !== undefined) this.put(column, row * this.bins + bin, (100 * lost) / pieces, expected / pieces);
      }
    }
  }

  private put(column: number, place: number, over: number, under: number): void {
    const cell = column * this.rows.size * this.bins + place;
    this.over[cell] = (this.over[cell] ?? 0) + over;
    this.under[cell] = (this.under[cell] ?? 0) + under;
  }

  /** Returns what one step is worth. */
  private quantise(cells: Uint16Array, start: number, size: number): number {
    let most = 0;
    for (let cell = start; cell < start + size; cell += 1) most = Math.max(most, this.valueAt(cell) ?? 0);
    const step = most === 0 ? 1 : most / lastCell;
    for (let cell = start; cell < start + size; cell += 1) {
      const value = this.valueAt(cell);
      cells[cell] = value === undefined ? absentCell : Math.round(value / step);
    }
    return step;
  }

  /** Late packets lower a loss count again (RFC 3550 A.3); a cell is never below zero for it. */
  private valueAt(cell: number): number | undefined {
    const under = this.under[cell] ?? 0;
    return under <= 0 ? undefined : Math.max(0, (this.over[cell] ?? 0) / under);
  }
}

/** Numerators and denominators of all cells. */
export interface CurveSums {
  readonly over: Float64Array<ArrayBuffer>;
  readonly under: Float64Array<ArrayBuffer>;
}

/** Where the losses of a stream go, and what they are gathered by. */
class StreamLosses {
  readonly of = new LossTracker();
  readonly column: number;

  constructor(
    private readonly stream: StreamSample,
    readonly row: number,
  ) {
    this.column = lossColumn(stream);
  }

  isOf({ leg, direction, kind, stream }: StreamSample): boolean {
    const own = this.stream;
    return own.kind === kind && own.direction === direction && own.stream === stream && own.leg === leg;
  }
}

export function addCells({ over, under }: CurveSums, more: CurveSums): void {
  for (let cell = 0; cell < over.length; cell += 1) {
    over[cell] = (over[cell] ?? 0) + (more.over[cell] ?? 0);
    under[cell] = (under[cell] ?? 0) + (more.under[cell] ?? 0);
  }
}

export function binsOf({ fromMs, toMs, binMs }: Pick<Span, 'fromMs' | 'toMs' | 'binMs'>): number {
  return Math.max(1, Math.ceil((toMs - fromMs) / binMs));
}

export function binAt({ fromMs, binMs }: Span, bins: number, atMs: number): number | undefined {
  const bin = Math.floor((atMs - fromMs) / binMs);
  return bin < 0 || bin >= bins ? undefined : bin;
}

const lossesKey = (stream: StreamSample): string => `${stream.direction}\u0000${streamKey('', stream)}`;

type OfStream = Pick<StreamSample, 'leg' | 'kind'> & { readonly stream?: string | undefined };

/** No name of a probe can be one: names hold no control characters. */
export function streamKey(probe: string, { leg, kind, stream = '' }: OfStream): string {
  return [probe, leg, kind, stream].join('\u0000');
}

function lossColumn({ direction, kind }: StreamSample): number {
  const curve: CurveName =
    direction === 'send' ? 'upLossPercent' : kind === 'video' ? 'videoLossPercent' : 'audioLossPercent';
  return curves.findIndex(({ name }) => name === curve);
}

function rateKey({ direction, kind }: StreamSample) {
  if (kind === 'data') return undefined;
  if (direction === 'receive') return kind === 'video' ? 'receivedVideo' : 'receivedAudio';
  return kind === 'video' ? 'sentVideo' : undefined;
}
