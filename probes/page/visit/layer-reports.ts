import { entryAt, numberAt, type StatsEntry, type StatsReport } from '../stats-report.js';

/** Receiver reports come every second or few; one that never comes must not keep back those of other layers. Chosen. */
const longestWaitMs = 5000;

interface Counted {
  readonly sent: number;
  readonly lost: number;
  readonly reportMs: number;
}

const nothing: Counted = { sent: 0, lost: 0, reportMs: Number.NEGATIVE_INFINITY };

/**
 * One receiver report for all layers of a stream (remote-inbound-rtp, one for each SSRC). What they say is lost adds
 * up, as their packets do. It is told when each layer that has sent since the one before has a new report: so what is
 * lost is held against the packets of the same time.
 */
export class LayerReports {
  private readonly counted = new Map<string, Counted>();
  private lost: number | undefined;
  private last: StatsEntry | undefined;
  /** Since when some layer has a new report, and others are waited for. */
  private sinceMs: number | undefined;

  constructor(private readonly id: string) {}

  /** The last one that is whole; all but its loss is that of the largest layer. */
  of(layers: readonly StatsEntry[], largest: StatsEntry, report: StatsReport): StatsEntry | undefined {
    const all = layers.map((layer) => ({
      layer,
      remote: entryAt(report, layer, 'remoteId'),
      before: this.counted.get(layer.id) ?? nothing,
    }));
    const fresh = all.flatMap(({ remote, before }) => (remote && remote.timestamp > before.reportMs ? remote : []));
    const told = entryAt(report, largest, 'remoteId') ?? fresh[0];
    const sends = all.filter(({ layer, before }) => sentBy(layer) > before.sent);
    const isWhole = sends.every(({ remote, before }) => remote !== undefined && remote.timestamp > before.reportMs);
    if (!told || fresh.length === 0) return this.last;
    this.sinceMs ??= largest.timestamp;
    if (!isWhole && largest.timestamp - this.sinceMs < longestWaitMs) return this.last;
    this.sinceMs = undefined;
    for (const { layer, remote, before } of all) {
      const lost = numberAt(remote, 'packetsLost');
      if (lost !== undefined) this.lost = (this.lost ?? 0) + lost - before.lost;
      const reportMs = remote?.timestamp ?? before.reportMs;
      this.counted.set(layer.id, { sent: sentBy(layer), lost: lost ?? before.lost, reportMs });
    }
    const timestamp = Math.max(...fresh.map((remote) => remote.timestamp));
    this.last = { ...told, id: this.id, timestamp, packetsLost: this.lost };
    return this.last;
  }
}

const sentBy = (layer: StatsEntry): number => numberAt(layer, 'packetsSent') ?? 0;
