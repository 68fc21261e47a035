import { speechOf } from '../../model/expected-streams.js';
import { type QualityLimitation, receiveMetrics, type StreamMetric, sendMetrics } from '../../model/metric.js';
import { type Direction, type Leg, layerAsked, type ReceivedStream, type StreamKind } from '../../model/scenario.js';
import { FrozenFold } from './frozen.js';
import { HighestValues } from './highest-values.js';
import { LayerFold } from './layer-fold.js';
import { MarkFold } from './mark-fold.js';
import { MetricSums } from './metric-sums.js';
import { NumberBlocks } from './number-blocks.js';
import { StutterFold } from './picture-folds.js';
import { SoundGapFold } from './sound-gap.js';
import { SpeechFold } from './speech-fold.js';
import { isScreen, metricsOf, percentOf, type StreamReading } from './stream-reading.js';
import { TurnFold } from './turn-fold.js';

/** The percentile of jitter and of round trips that is told. */
const spreadPercent = 95;

/** What is folded: a stream of this kind and direction, in a window. */
interface FoldedStream extends Pick<ReceivedStream, 'from'> {
  readonly direction: Direction;
  readonly kind: StreamKind;
  /** Absent: what it sends is not known. */
  readonly leg?: Pick<Leg, 'speech'>;
}

/** What the seconds of one stream say together, second by second; its loss is apart. */
export class ReadingFold {
  readonly sums: MetricSums;
  /** Of a received video. */
  readonly frozen: FrozenFold | undefined;
  readonly stutter: StutterFold | undefined;
  /** Of one of which a layer was asked for. */
  readonly layer: LayerFold | undefined;
  /** Of a received audio. */
  readonly gaps: SoundGapFold | undefined;
  readonly turns: TurnFold | undefined;
  /** Of a sound whose sender speaks and pauses. */
  readonly speech: SpeechFold | undefined;
  /** Jitter of what is received, round trips of what is sent. */
  readonly spread: HighestValues;
  /** Round trips of the leg, of every stream. */
  private readonly legTrips: HighestValues;
  /** Of what is received. */
  readonly marks: MarkFold | undefined;
  readonly widths: ValueCounts | undefined;
  readonly heights: ValueCounts | undefined;
  count = 0;
  readMs = 0;
  /** Seconds of which little is known, because the stream began anew in them. */
  readonly unknown = { count: 0, ms: 0 };
  /** Whether getStats had it in some second. */
  wasKnown = false;
  legRttCount = 0;
  legRttIsNegative = false;
  /** Absent where no second dropped one. */
  legRoundTripsDropped: number | undefined;
  mostFramesPerSecond = 0;
  mostBytesPerSecond = 0;
  legRttSum = 0;
  private estimateCount = 0;
  private estimateSumKbps = 0;
  private limitationSaidMs = 0;
  private readonly limitedMs = { cpu: 0, bandwidth: 0 };
  private readonly isReceived: boolean;

  /** @param mostReadings no more of them are added */
  constructor(folded: FoldedStream, mostReadings: number, numbers = new NumberBlocks()) {
    const { direction, kind } = folded;
    const received = direction === 'receive';
    this.isReceived = received;
    const asked = layerAsked(folded);
    const speech = speechOf(folded);
    this.speech = speech && new SpeechFold(speech);
    this.layer = received && asked ? new LayerFold(asked) : undefined;
    this.sums = new MetricSums(summedMetrics[direction], numbers);
    this.spread = new HighestValues(spreadPercent, mostReadings);
    this.legTrips = new HighestValues(spreadPercent, mostReadings);
    this.marks = received ? new MarkFold(spreadPercent, mostReadings) : undefined;
    this.stutter = received && kind === 'video' ? new StutterFold() : undefined;
    this.frozen = received && kind === 'video' ? new FrozenFold() : undefined;
    this.gaps = received && kind === 'audio' ? new SoundGapFold() : undefined;
    this.turns = received && kind === 'audio' ? new TurnFold(spreadPercent, mostReadings) : undefined;
    this.widths = kind === 'video' ? new ValueCounts() : undefined;
    this.heights = kind === 'video' ? new ValueCounts() : undefined;
  }

  /** In order of time. */
  add(reading: StreamReading): void {
    const { stream, intervalMs, legRttMs, legRoundTripsDropped: dropped, legEstimateKbps } = reading;
    this.count += 1;
    this.readMs += intervalMs;
    if (stream) this.wasKnown = true;
    if (stream?.restarted) {
      this.unknown.count += 1;
      this.unknown.ms += intervalMs;
    }
    this.sums.add(stream, intervalMs);
    // A screen that shows the same for seconds does not freeze.
    if (!isScreen(reading)) {
      this.frozen?.add(reading);
      this.stutter?.add(reading);
    }
    this.gaps?.add(reading);
    this.turns?.add(reading);
    this.speech?.add(reading);
    const metrics = metricsOf(reading);
    const { isReceived } = this;
    addTo(this.spread, isReceived ? metrics.jitterMs : metrics.rttMs);
    addTo(this.widths, metrics.frameWidth);
    addTo(this.heights, metrics.frameHeight);
    this.layer?.add(reading);
    addTo(this.legTrips, legRttMs);
    this.marks?.add(reading);
    if (legRttMs !== undefined) {
      this.legRttSum += legRttMs;
      this.legRttCount += 1;
      if (legRttMs < 0) this.legRttIsNegative = true;
    }
    if (dropped !== undefined) this.legRoundTripsDropped = (this.legRoundTripsDropped ?? 0) + dropped;
    if (legEstimateKbps !== undefined) {
      this.estimateSumKbps += legEstimateKbps;
      this.estimateCount += 1;
    }
    const perSecond = (count = 0) => (count * 1000) / Math.max(1, intervalMs);
    const frames = perSecond(isReceived ? metrics.framesDecoded : metrics.framesSent);
    const bytes = perSecond(isReceived ? metrics.bytesReceived : metrics.bytesSent);
    this.mostFramesPerSecond = Math.max(this.mostFramesPerSecond, frames);
    this.mostBytesPerSecond = Math.max(this.mostBytesPerSecond, bytes);
    if (stream?.direction === 'send' && stream.qualityLimitation)
      this.addLimitation(stream.qualityLimitation, intervalMs);
  }

  /** Mean round trip of the leg, in the seconds that have one. */
  get legRttMs(): number | undefined {
    return this.legRttCount === 0 ? undefined : this.legRttSum / this.legRttCount;
  }

  /** The larger of what the candidate pair says and, of a sent stream, the reports. */
  get legRttP95Ms(): number | undefined {
    const ofReports = this.isReceived ? undefined : this.spread.percentileOfSeveral();
    const ofPair = this.legTrips.percentileOfSeveral();
    return ofReports === undefined || ofPair === undefined ? (ofReports ?? ofPair) : Math.max(ofReports, ofPair);
  }

  /** Mean of what congestion control allowed the leg, in the seconds that say it. */
  get estimateKbps(): number | undefined {
    return this.estimateCount === 0 ? undefined : this.estimateSumKbps / this.estimateCount;
  }

  /** The share of the time in which the encoder said that this limited it. */
  limitedPercent(limitation: 'cpu' | 'bandwidth'): number | undefined {
    return percentOf(this.limitedMs[limitation], this.limitationSaidMs);
  }

  private addLimitation(limitation: QualityLimitation, intervalMs: number): void {
    this.limitationSaidMs += intervalMs;
    if (limitation === 'cpu' || limitation === 'bandwidth') this.limitedMs[limitation] += intervalMs;
  }
}

function addTo(values: ValueCounts | HighestValues | undefined, value: number | undefined): void {
  if (value !== undefined) values?.add(value);
}

/** The metrics of a stream that are summed up over a window, all that the catalogue has for its direction, numbered. */
const summedMetrics: Readonly<Record<Direction, ReadonlyMap<StreamMetric, number>>> = {
  receive: numbered(receiveMetrics),
  send: numbered(sendMetrics),
};

function numbered(catalogue: object): ReadonlyMap<StreamMetric, number> {
  return new Map(Object.keys(catalogue).map((name, index) => [name as StreamMetric, index]));
}

/**
 * Numbers by how often they came, so that their median is exact in memory that grows with how many different ones there
 * were and not with how many came. Sorted as they come. Of most streams all are the same.
 */
class ValueCounts {
  private first: number | undefined;
  private sorted: { readonly values: number[]; readonly counts: number[] } | undefined;
  private total = 0;

  add(value: number): void {
    this.first ??= value;
    if (value !== this.first) this.sorted ??= { values: [this.first], counts: [this.total] };
    this.total += 1;
    if (this.sorted) countIn(this.sorted, value);
  }

  /** The middle value; of an even count the mean of the two in the middle. `undefined` of none. */
  median(): number | undefined {
    const middle = Math.floor(this.total / 2);
    const upper = this.ofRank(middle);
    const lower = this.ofRank(this.total % 2 === 0 ? middle - 1 : middle);
    return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
  }

  /** In ascending order, the first is 0. */
  private ofRank(rank: number): number | undefined {
    const { sorted, total, first } = this;
    if (rank < 0 || rank >= total) return undefined;
    if (!sorted) return first;
    let before = 0;
    for (const [index, count] of sorted.counts.entries()) {
      before += count;
      if (before > rank) return sorted.values[index];
    }
    return undefined;
  }
}

function countIn({ values, counts }: { readonly values: number[]; readonly counts: number[] }, value: number): void {
  const at = placeOf(values, value);
  if (values[at] === value) counts[at] = (counts[at] ?? 0) + 1;
  else {
    values.splice(at, 0, value);
    counts.splice(at, 0, 1);
  }
}

/** Of the first value that is not smaller. */
function placeOf(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
