import type { AggregateName } from '../../model/aggregate.js';
import { type Ask, type AskedLayer, type LayerName, layerNames, switchMostMs, widthOf } from '../../model/layer.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import { percentile } from '../statistics/statistics.js';
import { metricsOf, percentOf, type StreamReading } from './stream-reading.js';

/** Encoders round a side to even numbers, and layers are twice as wide as each other. */
const alike = { from: 0.75, to: 1.5 } as const;
const switchPercent = 95;
/** Of a stream of which no second with pictures was seen before. */
const usualFps = 30;
/** A reading begins where the one before it ended, as far as clocks and rounding let it. */
const seamMs = 100;

/** A layer was asked for, and its first picture is waited for. */
interface Pending {
  readonly layer: LayerName;
  readonly sinceMs: number;
  /** No picture was shown before: any is new. */
  readonly isFirst: boolean;
  /** Of one that was asked for before this reading, in a time that was not read. */
  readonly unseenAtMs: number | undefined;
}

/**
 * Layers of a received video: how long the one that was asked for came, and how long others did. Also how long switches
 * took, and how many nobody had asked for. Seconds in which a switch may still take its time count as switches alone.
 */
export class LayerFold {
  private readonly ms = { below: 0, above: 0, asked: 0, all: 0, read: 0 };
  /** While each layer was asked for; bytes are known of `rateMs` of it. */
  private readonly ofLayer = new Map<LayerName, { ms: number; rateMs: number; bytes: number }>();
  private readonly switchesMs: number[] = [];
  private unasked = 0;
  private ask: Ask | undefined;
  private pending: Pending | undefined;
  private width: number | undefined;
  private mostFps = 0;
  private lastMs = 0;
  private readonly changes: boolean;

  constructor(private readonly layer: AskedLayer) {
    this.changes = layer.turns !== undefined;
  }

  /** In order of time; also of a second in which the video is away: it is not shown, or its source is gone. */
  add(reading: StreamReading, isAway = false): void {
    const { stream, atMs, intervalMs, asked } = reading;
    if (this.changes && asked === undefined) return;
    const { layer: ask, forMs } = asked ?? { layer: this.layer.name, forMs: Number.POSITIVE_INFINITY };
    const isSettled = forMs >= intervalMs + switchMostMs;
    if (isAway && isSettled && ask !== 'none' && !stream) {
      // Its source is gone: no switch is waited for.
      this.ask = undefined;
      this.pending = undefined;
      return;
    }
    this.noteAsk(ask, atMs - forMs, reading);
    this.lastMs = atMs;
    const { framesDecoded, newWidthMs, frameWidth } = metricsOf(reading);
    // How many came in its first second is not known, but when the first did.
    const frames = framesDecoded ?? (newWidthMs === undefined ? 0 : 1);
    if (isSettled && ask !== 'none') this.noteRate(ask, reading);
    const width = frames > 0 ? frameWidth : undefined;
    if (width === undefined) return;
    if (isSettled) this.noteTime(ask, width, intervalMs);
    this.noteWidth(width, reading, frames, forMs > intervalMs && !this.pending);
    this.mostFps = Math.max(this.mostFps, (frames * 1000) / intervalMs);
  }

  /** Of the first second it is not known what was asked for before, but whether that was something else. */
  private noteAsk(ask: Ask, sinceMs: number, { atMs, intervalMs }: StreamReading): void {
    const before = this.ask;
    this.ask = ask;
    const isNew = before === undefined ? sinceMs > atMs - intervalMs : before !== ask;
    if (!isNew) return;
    // One that came back and was asked for in another layer before its first picture shows none yet.
    const isFirst = before === 'none' || this.pending?.isFirst === true;
    const isUnseen = sinceMs < atMs - intervalMs - seamMs;
    this.giveUp(isUnseen ? this.lastMs : sinceMs);
    const unseenAtMs = isUnseen ? atMs : undefined;
    this.pending = ask === 'none' ? undefined : { layer: ask, sinceMs, isFirst, unseenAtMs };
  }

  /** Something else is asked for: one that has not come in time took that long at least. */
  private giveUp(atMs: number): void {
    this.switchesMs.push(...waitedFor(this.pending, atMs));
    this.pending = undefined;
  }

  private noteRate(ask: LayerName, { stream, intervalMs }: StreamReading): void {
    const bytes = stream ? mediaBytesOf(stream) : 0;
    const sums = this.ofLayer.get(ask) ?? { ms: 0, rateMs: 0, bytes: 0 };
    sums.ms += intervalMs;
    if (bytes !== undefined) {
      sums.rateMs += intervalMs;
      sums.bytes += bytes;
    }
    this.ofLayer.set(ask, sums);
    this.ms.read += intervalMs;
  }

  /** Pictures that nobody asked for are above what was. */
  private noteTime(ask: Ask, width: number, intervalMs: number): void {
    const { ms } = this;
    const askedWidth = ask === 'none' ? 0 : widthOf(this.layer, ask);
    ms.all += intervalMs;
    if (ask !== 'none') ms.asked += intervalMs;
    if (width < alike.from * askedWidth) ms.below += intervalMs;
    if (width > alike.to * askedWidth) ms.above += intervalMs;
  }

  private noteWidth(width: number, reading: StreamReading, frames: number, isUnasked: boolean): void {
    const before = this.width;
    this.width = width;
    const { pending } = this;
    if (pending && isLike(width, widthOf(this.layer, pending.layer))) {
      this.pending = undefined;
      // It came in a time that was not read: nobody knows when.
      if (pending.unseenAtMs === reading.atMs) return;
      const isNew = before === undefined || !isLike(width, before);
      const atMs = pending.isFirst || isNew ? this.firstPictureMs(pending, reading, frames) : pending.sinceMs;
      this.switchesMs.push(Math.max(0, atMs - pending.sinceMs));
    } else if (isUnasked && before !== undefined && !isLike(width, before)) this.unasked += 1;
  }

  /**
   * When the first picture that was asked for came: when pictures became as wide, as the probe saw it, or at the end of
   * the second at the latest. One that comes after none, as wide as the last one before, came as long before the end of
   * its second as its frames take.
   */
  private firstPictureMs({ isFirst }: Pending, reading: StreamReading, frames: number): number {
    const became = metricsOf(reading).newWidthMs ?? (isFirst ? (frames * 1000) / (this.mostFps || usualFps) : 0);
    return reading.atMs - became;
  }

  values(): Partial<Record<AggregateName, number | undefined>> {
    const { ms, pending } = this;
    const switchesMs = [...this.switchesMs, ...waitedFor(pending, this.lastMs)];
    return {
      belowLayerPercent: percentOf(ms.below, ms.asked),
      aboveLayerPercent: percentOf(ms.above, ms.all),
      switchP95Ms: percentile(switchesMs, switchPercent),
      switches: this.changes ? switchesMs.length : undefined,
      unaskedSwitches: ms.all > 0 ? this.unasked : undefined,
      ...Object.fromEntries(layerNames.flatMap((name) => this.valuesOf(name))),
    };
  }

  private valuesOf(name: LayerName): readonly (readonly [string, number])[] {
    const sums = this.changes ? this.ofLayer.get(name) : undefined;
    if (!sums) return [];
    return [
      ...(sums.rateMs > 0 ? ([[`${name}LayerKbps`, (sums.bytes * 8) / sums.rateMs]] as const) : []),
      [`${name}LayerPercent`, (100 * sums.ms) / this.ms.read],
    ];
  }
}

function waitedFor(pending: Pending | undefined, atMs: number): readonly number[] {
  const waitedMs = pending === undefined ? 0 : atMs - pending.sinceMs;
  return waitedMs > switchMostMs ? [waitedMs] : [];
}

const isLike = (width: number, other: number): boolean => width >= alike.from * other && width <= alike.to * other;
