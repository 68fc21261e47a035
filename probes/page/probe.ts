import type { LegSample, Sample, StreamSample } from '../../model/sample.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { JoinTimes } from '../../model/trial.js';
import { agree } from './agree.js';
import { nowMs, type Tick } from './clock.js';
import { resentShare } from './encoded/rungs.js';
import { trueFigures } from './encoded/true-figures.js';
import type { Reading, WorkerReport } from './encoded/worker-wire.js';
import { iceIsUp } from './ice.js';
import { missingOf, outOfTime, unusable } from './join-watch.js';
import { keepArtifacts } from './keep-artifacts.js';
import { legSample } from './leg-sample.js';
import { restartingIn } from './page-restart.js';
import { Peer } from './peer.js';
import { ProbeEyes } from './probe-eyes.js';
import type { ProbeSource } from './probe-source.js';
import { restartWhenDue } from './restart-ice.js';
import { RouteWatch } from './route-watch.js';
import { readingTimeMs, type StatsReport } from './stats-report.js';
import { streamSamples } from './stream-samples.js';
import type { FailureReport, HostCall, HostFunction, PageMedia, ProbeOrder } from './wire.js';

/** How often a joining probe looks whether its media has arrived: the resolution of `firstFrameMs`. */
const arrivalPollMs = 100;

type Milestone = 'answerMs' | 'iceConnectedMs' | 'dtlsConnectedMs' | 'firstFrameMs';

/** One participant: joins once, is measured alone, and is never healed. What happens is told to `host`. */
export class PageProbe {
  private readonly id: string;
  private readonly peers: readonly Peer[];
  private readonly startedMs = performance.now();
  private readonly deadlineMs: number;
  private readonly host: HostFunction;
  private state: 'joining' | 'up' | 'failed' | 'left' = 'joining';
  private join: JoinTimes = {};
  private timers: ReturnType<typeof setTimeout>[] = [];
  private readonly source: ProbeSource;
  private last: Reading | undefined;
  private reading = false;
  private answers = 0;
  private readonly routes: RouteWatch;
  private readonly eyes: ProbeEyes;

  constructor(order: ProbeOrder, media: PageMedia, source: ProbeSource, host: HostFunction) {
    this.source = source;
    this.id = order.participant.id;
    this.deadlineMs = order.deadlineMs;
    this.host = host;
    source.encoded?.meet(order.participant);
    const legs = order.participant.legs.map(({ id }) => id);
    this.routes = new RouteWatch(order.relay, legs, (routes) => this.tell({ call: 'routed', probe: this.id, routes }));
    this.eyes = new ProbeEyes(order, source, host);
    const own = { ...this.eyes.source, sender: this.id };
    this.peers = order.participant.legs.map((leg) => new Peer(leg, media, own, order.relay));
  }

  /** Negotiates all legs at once. Every outcome is told to the host; never rejects. */
  async start(): Promise<void> {
    this.timers.push(setTimeout(() => void this.runOutOfTime(), this.deadlineMs));
    for (const peer of this.peers) this.watch(peer);
    await Promise.all(this.peers.map((peer) => this.negotiate(peer)));
    this.look();
  }

  addCandidate(leg: string, candidate: IceCandidate): void {
    const peer = this.peers.find((one) => one.leg.id === leg);
    peer?.addCandidate(candidate).catch((error: unknown) => this.fail(unusable(error)));
  }

  /** A further offer of the server on a leg. */
  async renegotiate(leg: string, offer: ServerOffer): Promise<string | undefined> {
    const peer = this.peers.find((one) => one.leg.id === leg);
    return peer?.answerTo(offer).catch((error: unknown) => this.fail(unusable(error)) ?? undefined);
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

  async leave(): Promise<void> {
    const wasUp = this.state === 'up';
    this.state = 'left';
    for (const timer of this.timers) clearTimeout(timer);
    for (const peer of this.peers) peer.close();
    const artifacts = this.eyes.close();
    if (wasUp && artifacts) await this.host({ call: 'kept', artifacts }).catch(() => undefined);
  }

  private sampleOf(tick: Tick, reports: readonly StatsReport[], worker: WorkerReport): Sample | undefined {
    const atMs = Math.max(...reports.map((report) => readingTimeMs(report) ?? Number.NaN));
    const [last, told] = [this.last, worker.streams];
    if (!Number.isFinite(atMs) || this.state === 'left' || (last && atMs <= last.atMs)) return undefined;
    this.last = { atMs, reports, told: told ?? last?.told };
    const away = this.peers.map((peer) => peer.readAway());
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

  private async negotiate(peer: Peer): Promise<void> {
    const failure = await agree(peer, { probe: this.id, leg: peer.leg.id }, this.host, () => {
      if (this.state !== 'joining') return false;
      this.answers += 1;
      if (this.answers === this.peers.length) this.reach('answerMs');
      return true;
    });
    if (failure) return this.fail(failure);
    this.timers.push(...restartWhenDue(restartingIn(peer), this.id, this.host, (failed) => this.fail(failed)));
  }

  private watch(peer: Peer): void {
    const { connection } = peer;
    connection.addEventListener('icecandidateerror', ({ errorCode, errorText }) => {
      this.routes.relaySaid = `; the TURN server: ${errorCode} ${errorText}`;
    });
    connection.addEventListener('iceconnectionstatechange', () => {
      if (this.peers.every((one) => iceIsUp(one.connection))) this.reach('iceConnectedMs');
      if (connection.iceConnectionState === 'failed' && this.join.iceConnectedMs === undefined) {
        this.fail({
          code: 'ice-timeout',
          detail: `ICE failed after ${this.age()} (no candidate pair answered)${this.routes.relaySaid}`,
        });
      }
    });
    connection.addEventListener('connectionstatechange', () => this.connectionChanged(peer));
  }

  private connectionChanged(peer: Peer): void {
    const now = peer.connection.connectionState;
    if (this.peers.every((one) => one.connection.connectionState === 'connected')) this.reach('dtlsConnectedMs');
    const hadConnected = this.join.dtlsConnectedMs !== undefined;
    if (now === 'disconnected' || (now === 'failed' && hadConnected)) {
      this.fail({
        code: 'disconnected',
        detail: `the connection of leg ${peer.leg.id} was ${now} after ${this.age()}`,
      });
    } else if (now === 'failed') {
      const code = this.join.iceConnectedMs === undefined ? 'ice-timeout' : 'dtls-timeout';
      const step = code === 'ice-timeout' ? 'ICE' : 'DTLS';
      this.fail({ code, detail: `${step} failed after ${this.age()} on leg ${peer.leg.id}` });
    }
  }

  /** Looks until all expected media is there or the join is over. */
  private look(): void {
    if (this.state !== 'joining') return;
    this.timers.push(setTimeout(() => void this.lookOnce(), arrivalPollMs));
  }

  private async lookOnce(): Promise<void> {
    const connected = this.join.dtlsConnectedMs !== undefined;
    if (connected && (await this.hasArrived()) && this.state === 'joining') {
      this.reach('firstFrameMs');
      this.state = 'up';
      const rates = this.peers.flatMap(({ rateControl }) => rateControl ?? []);
      this.tell({ call: 'up', probe: this.id, atMs: nowMs(), join: this.join, rates });
    }
    this.look();
  }

  /** All expected media is there, and came the way it was to come: without that proof no probe is up. */
  private async hasArrived(): Promise<boolean> {
    const reports = await Promise.all(this.peers.map((peer) => peer.stats()));
    if (missingOf(this.peers, reports).length > 0) return false;
    this.checkRoutes(reports);
    return this.routes.proven;
  }

  private checkRoutes(reports: readonly StatsReport[]): void {
    const detail = this.routes.look(reports);
    if (detail !== undefined) this.fail({ code: 'not-relayed', detail });
  }

  private async runOutOfTime(): Promise<void> {
    const missing = missingOf(this.peers, await Promise.all(this.peers.map((peer) => peer.stats())));
    if (this.state !== 'joining') return;
    const states = (of: (peer: Peer) => string): readonly string[] => [...new Set(this.peers.map(of))];
    const elapsedMs = performance.now() - this.startedMs;
    const iceStates = states((peer) => peer.connection.iceConnectionState);
    const dtlsStates = states((peer) => peer.connection.connectionState);
    if (missing.length === 0 && this.join.dtlsConnectedMs !== undefined && !this.routes.proven) {
      return this.fail({ code: 'not-relayed', detail: 'getStats does not say how it is connected' });
    }
    const descriptions = this.peers.map(({ connection }) => connection.remoteDescription?.sdp ?? '');
    const failure = outOfTime({ join: this.join, elapsedMs, iceStates, dtlsStates, missing, descriptions });
    this.fail({ ...failure, detail: `${failure.detail}${this.routes.relaySaid}` });
  }

  private reach(milestone: Milestone): void {
    if (this.join[milestone] !== undefined || this.state !== 'joining') return;
    this.join = { ...this.join, [milestone]: performance.now() - this.startedMs };
    this.tell({ call: 'reached', probe: this.id, join: this.join });
  }

  /** Once failed is failed: later faults of the same probe follow from the first and are not told. */
  private fail(failure: Omit<FailureReport, 'atMs'>): void {
    if (this.state !== 'joining' && this.state !== 'up') return;
    this.state = 'failed';
    this.tell({ call: 'failed', probe: this.id, failure: { ...failure, atMs: nowMs() } });
    void keepArtifacts(this.id, this.peers).then((artifacts) => this.tell({ call: 'kept', artifacts }));
  }

  private age(): string {
    return `${((performance.now() - this.startedMs) / 1000).toFixed(1)} s`;
  }

  private tell(call: HostCall): void {
    // A host that is gone ends the page, too: there is nobody to tell.
    this.host(call).catch(() => undefined);
  }
}
