import type { MediaKind } from '../../../model/scenario.js';
import { entriesOf, numberAt, type StatsEntry, type StatsReport, textAt } from '../stats-report.js';
import { LayerReports } from './layer-reports.js';

/** Counters of a layer that add up to those of the stream: each layer has packets of its own. */
const added = ['bytesSent', 'packetsSent', 'retransmittedPacketsSent', 'nackCount', 'pliCount', 'totalEncodeTime'];
/** Frame counters: layers are sizes of the same frames, so the stream has as many as its fastest layer. */
const shared = ['framesEncoded', 'framesSent', 'keyFramesEncoded'];

const kinds: readonly MediaKind[] = ['audio', 'video'];

/**
 * Makes one entry of what getStats has of each kind that is sent. Of several media sections of a kind it is the one
 * that has sent most; of the layers of a section (simulcast: an outbound-rtp each) it is their sum, with the size of
 * the largest that is sent now, and so do losses in their reports. A layer that is switched off or
 * on changes the sum by what it sends, and restarts nothing.
 */
export class SentLayers {
  private before: ReadonlyMap<string, StatsEntry> = new Map();
  private readonly totals = new Map<string, Map<string, number>>();
  private readonly reports = new Map<string, LayerReports>();

  /** To be given each reading once, in order. */
  merged(report: StatsReport): StatsReport {
    const outbound = entriesOf(report, 'outbound-rtp');
    const result = new Map(report);
    for (const { id } of outbound) result.delete(id);
    for (const kind of kinds) {
      const layers = mostSent(outbound.filter((entry) => entry.kind === kind));
      for (const entry of layers.length > 1 ? this.sumOf(layers, report) : layers) result.set(entry.id, entry);
    }
    this.before = new Map(outbound.map((entry) => [entry.id, entry]));
    return result;
  }

  /** The stream, and the receiver report of it where there is one. */
  private sumOf(layers: readonly StatsEntry[], report: StatsReport): readonly StatsEntry[] {
    const largest = this.largest(layers);
    if (!largest) return [];
    const id = `layers-of-${midOf(largest)}`;
    const totals = this.totals.get(id) ?? new Map<string, number>();
    this.totals.set(id, totals);
    for (const field of added)
      this.grow(totals, field, layers, (growths) => growths.reduce((sum, one) => sum + one, 0));
    for (const field of shared) this.grow(totals, field, layers, (growths) => Math.max(0, ...growths));
    const reports = this.reports.get(id) ?? new LayerReports(`reports-${id}`);
    this.reports.set(id, reports);
    const remote = reports.of(layers, largest, report);
    const stream = { ...largest, id, ...Object.fromEntries(totals), remoteId: remote?.id };
    return remote ? [stream, remote] : [stream];
  }

  private grow(
    totals: Map<string, number>,
    field: string,
    layers: readonly StatsEntry[],
    combine: (growths: readonly number[]) => number,
  ): void {
    const growths = layers.flatMap((layer) => this.growth(layer, field) ?? []);
    // A field that no layer has stays absent.
    if (growths.length > 0) totals.set(field, (totals.get(field) ?? 0) + combine(growths));
  }

  private growth(layer: StatsEntry, field: string): number | undefined {
    const now = numberAt(layer, field);
    return now === undefined ? undefined : Math.max(0, now - (numberAt(this.before.get(layer.id), field) ?? 0));
  }

  /** That of the layers which send now; all else that is asked of one layer is asked of it. */
  private largest(layers: readonly StatsEntry[]): StatsEntry | undefined {
    const sending = layers.filter((layer) => (this.growth(layer, 'packetsSent') ?? 0) > 0);
    const height = (layer: StatsEntry): number => numberAt(layer, 'frameHeight') ?? 0;
    return [...(sending.length > 0 ? sending : layers)].sort((one, other) => height(other) - height(one))[0];
  }
}

const midOf = (entry: StatsEntry): string => textAt(entry, 'mid') ?? entry.id;

/** The layers of the media section of which most bytes went out. */
function mostSent(entries: readonly StatsEntry[]): readonly StatsEntry[] {
  const mids = [...new Set(entries.map(midOf))];
  const groups = mids.map((mid) => entries.filter((entry) => midOf(entry) === mid));
  const sent = (group: readonly StatsEntry[]): number =>
    group.reduce((sum, entry) => sum + (numberAt(entry, 'bytesSent') ?? 0), 0);
  return [...groups].sort((one, other) => sent(other) - sent(one))[0] ?? [];
}
