import type { LegSample, Sample, StreamSample } from '../../model/sample.js';
import { nowMs, type Tick } from './clock.js';
import { resentShare } from './encoded/rungs.js';
import { trueFigures } from './encoded/true-figures.js';
import type { Reading, WorkerReport } from './encoded/worker-wire.js';
import { JoiningProbe } from './joining-probe.js';
import { keepArtifacts } from './keep-artifacts.js';
import { legSample } from './leg-sample.js';
import { Peer } from './peer.js';
import { ProbeEyes } from './probe-eyes.js';
import type { ProbeSource } from './probe-source.js';
import { readingTimeMs, type StatsReport } from './stats-report.js';
import { streamSamples } from './stream-samples.js';
import type { HostFunction, PageMedia, ProbeOrder } from './wire.js';

/** One participant in a page: joins once, and is measured alone. */
export class PageProbe extends JoiningProbe<Peer> {
  protected readonly place = 'page';
  protected readonly peers: readonly Peer[];
  private last: Reading | undefined;
  private reading = false;
  private readonly eyes: ProbeEyes;

  constructor(
    order: ProbeOrder,
    media: PageMedia,
    private readonly source: ProbeSource,
    host: HostFunction,
  ) {
    super(order, host, nowMs);
    source.encoded?.meet(order.participant);
    this.eyes = new ProbeEyes(order, source, host);
    const own = { ...this.eyes.source, sender: this.id };
    this.peers = order.participant.legs.map((leg) => new Peer(leg, media, own, order.relay));
    for (const peer of this.peers) this.watch(peer);
  }

  /**
   * What happened since the last reading; nothing for the first one, before all legs are answered, after leaving, and
   * when the reading before is still under way (then a sample is missing, and is counted so).
   */
  async sample(tick: Tick, replaced?: Promise<WorkerReport>): Promise<Sample | undefined> {
    if (this.reading || this.state === 'left' || !this.peers.every((peer) => peer.answered)) return undefined;
    this.reading = true;
    try {
      const [encoded, ...reports] = await Promise.all([replaced, ...this.peers.map((peer) => peer.stats())]);
      return this.sampleOf(tick, reports, encoded ?? { lateMs: 0 });
    } finally {
      this.reading = false;
    }
  }

  override async leave(): Promise<void> {
    const wasUp = this.state === 'up';
    super.leave();
    const artifacts = this.eyes.close();
    if (wasUp && artifacts) await this.host({ call: 'kept', artifacts }).catch(() => undefined);
  }

  private sampleOf(tick: Tick, reports: readonly StatsReport[], worker: WorkerReport): Sample | undefined {
    const atMs = Math.max(...reports.map((report) => readingTimeMs(report) ?? Number.NaN));
    const [last, told] = [this.last, worker.streams];
    if (!Number.isFinite(atMs) || this.state === 'left' || (last && atMs <= last.atMs)) return undefined;
    this.last = { atMs, reports, told: told ?? last?.told };
    const away = this.peers.map((peer) => peer.away.read());
    const messages = this.peers.map(({ data }, index) => data?.samples(away[index]) ?? []);
    this.checkRoutes(reports);
    if (!last) return undefined;
    const none: StatsReport = new Map();
    const streams = this.peers.flatMap((peer, index) => {
      const facts = { ...peer.facts, away: away[index] ?? new Set(), messages: messages[index] ?? [] };
      return streamSamples(peer.leg, last.reports[index] ?? none, reports[index] ?? none, facts);
    });
    const legs = this.peers.map((peer, index) =>
      legSample(peer.leg.id, peer.connection.connectionState, reports[index] ?? none, peer.facts),
    );
    if (this.source.encoded) this.follow(legs, streams);
    return {
      // First, for its host stamps it (model/sample-line.ts).
      atMs,
      probe: this.id,
      intervalMs: atMs - last.atMs,
      lateMs: Math.max(tick.lateMs, worker.lateMs),
      legs,
      streams: this.source.encoded ? trueFigures(streams, last.told, told) : this.eyes.read(this.peers, streams),
    };
  }

  /** Encoded media is sent at the rate that congestion control allows, as an encoder would. */
  private follow(legs: readonly LegSample[], streams: readonly StreamSample[]): void {
    for (const { leg, availableOutgoingKbps: kbps } of legs) {
      const video = streams.find((one) => one.leg === leg && one.direction === 'send' && one.kind === 'video');
      const control = this.peers.find((peer) => peer.leg.id === leg)?.rateControl;
      if (kbps !== undefined) this.source.encoded?.allow(leg, kbps, resentShare(video), control?.feedback ?? []);
    }
  }

  private watch({ leg, connection }: Peer): void {
    connection.addEventListener('icecandidateerror', ({ errorCode, errorText }) => {
      this.routes.relaySaid = `; the TURN server: ${errorCode} ${errorText}`;
    });
    connection.addEventListener('iceconnectionstatechange', () => {
      this.progress();
      if (connection.iceConnectionState !== 'failed' || this.join.iceConnectedMs !== undefined) return;
      const detail = `ICE failed after ${this.age()} (no candidate pair answered)${this.routes.relaySaid}`;
      this.fail({ code: 'ice-timeout', detail });
    });
    connection.addEventListener('connectionstatechange', () => {
      this.progress();
      const now = connection.connectionState;
      const isLost = now === 'failed' && this.join.dtlsConnectedMs !== undefined;
      if (isLost || now === 'disconnected') this.disconnected(leg.id, now);
      else if (now === 'failed') this.notConnected(leg.id);
    });
  }

  protected override onFailed(): void {
    void keepArtifacts(this.id, this.peers).then((artifacts) => this.tell({ call: 'kept', artifacts }));
  }
}
