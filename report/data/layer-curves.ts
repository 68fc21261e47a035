import { type LayerName, layerNames } from '../../model/layer.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import { isAway, type ReceiveStreamSample, type Sample } from '../../model/sample.js';
import { layerAsked, receivedStreams } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { type LayerCurve, layerMeasures } from '../wire/trial-data.js';
import { addCells, binAt, binsOf, type CurveSums, type Span, streamKey } from './curve-grid.js';

/** Received videos that a layer is asked for, by `streamKey`, with the layer where it does not change. */
export type AskedStreams = ReadonlyMap<string, LayerName>;

export function askedStreams(probes: readonly Pick<ProbeRecord, 'participant'>[]): AskedStreams {
  return new Map(
    probes.flatMap(({ participant: { id, legs } }) =>
      legs.flatMap((leg) =>
        receivedStreams(leg).flatMap((one) => {
          const asked = layerAsked(one);
          return asked ? [[streamKey(id, { ...one, leg: leg.id }), asked.name] as const] : [];
        }),
      ),
    ),
  );
}

/** What came of videos while each layer was asked for: the mean of those streams, cell by cell. */
export class LayerCurves {
  private readonly bins: number;
  private readonly over: Float64Array<ArrayBuffer>;
  private readonly under: Float64Array<ArrayBuffer>;

  constructor(
    private readonly asked: AskedStreams,
    private readonly span: Span,
  ) {
    this.bins = asked.size === 0 ? 0 : binsOf(span);
    const cells = layerMeasures.length * layerNames.length * this.bins;
    this.over = new Float64Array(cells);
    this.under = new Float64Array(cells);
  }

  add({ probe, atMs, intervalMs, streams }: Sample): void {
    if (this.bins === 0 || intervalMs <= 0) return;
    const bin = binAt(this.span, this.bins, atMs - intervalMs / 2);
    if (bin === undefined) return;
    for (const stream of streams) {
      if (stream.direction === 'send' || stream.kind !== 'video' || isAway(stream)) continue;
      const layer = this.layerOf(probe, stream);
      if (layer !== undefined) this.addStream(layer * this.bins + bin, stream, intervalMs);
    }
  }

  private layerOf(probe: string, stream: ReceiveStreamSample): number | undefined {
    const usual = this.asked.get(streamKey(probe, stream));
    const ask = usual && (stream.asked?.layer ?? usual);
    return ask === undefined || ask === 'none' ? undefined : layerNames.indexOf(ask);
  }

  private addStream(place: number, stream: ReceiveStreamSample, intervalMs: number): void {
    const { framesDecoded: frames, frameWidth } = stream.metrics;
    const bytes = mediaBytesOf(stream);
    if (bytes !== undefined) this.put('kbps', place, bytes * 8, intervalMs);
    if (frames !== undefined) this.put('fps', place, frames * 1000, intervalMs);
    if (frames && frameWidth !== undefined) this.put('width', place, frameWidth * intervalMs, intervalMs);
  }

  private put(measure: LayerCurve['of'], place: number, over: number, under: number): void {
    const cell = layerMeasures.indexOf(measure) * layerNames.length * this.bins + place;
    this.over[cell] = (this.over[cell] ?? 0) + over;
    this.under[cell] = (this.under[cell] ?? 0) + under;
  }

  sums(): CurveSums {
    return { over: this.over, under: this.under };
  }

  addSums(more: CurveSums): void {
    addCells(this.sums(), more);
  }

  /** One for each layer that was asked for, and each measure that was taken of it. */
  curves(): LayerCurve[] {
    return layerMeasures.flatMap((of, measure) =>
      layerNames.flatMap((layer, nth) => {
        const start = (measure * layerNames.length + nth) * this.bins;
        const values = Array.from({ length: this.bins }, (_, bin) => this.valueAt(start + bin));
        return values.some((value) => value !== null) ? [{ of, layer, values }] : [];
      }),
    );
  }

  private valueAt(cell: number): number | null {
    const under = this.under[cell] ?? 0;
    return under <= 0 ? null : Number(((this.over[cell] ?? 0) / under).toPrecision(4));
  }
}
