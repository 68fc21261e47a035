import type { VideoRateControl } from '../../model/rate-control.js';
import type { IceCandidate, IceServer, ServerOffer } from '../../model/signalling.js';
import type { JoinTimes } from '../../model/trial.js';
import { type Failure, iceIsUp, type JoiningLeg, missingOf, outOfTime, unusable } from './join-watch.js';
import { type Restarting, restartWhenDue } from './restart-ice.js';
import { RouteWatch } from './route-watch.js';
import type { StatsReport } from './stats-report.js';
import type { BeginReply, FirstMove, HostCall, HostFunction, HostReply, ProbeOrder } from './wire.js';

/** How often a joining probe looks whether its media has arrived: the resolution of `firstFrameMs`. */
const arrivalPollMs = 100;

type Milestone = 'answerMs' | 'iceConnectedMs' | 'dtlsConnectedMs' | 'firstFrameMs';

/** A connection of a probe. What cannot be used throws, or rejects. */
export interface JoiningPeer extends Restarting {
  /** What it is like now. */
  readonly now: JoiningLeg;
  readonly rateControl: VideoRateControl | undefined;
  begin(first: FirstMove, onCandidate: (candidate: IceCandidate) => void): void | Promise<void>;
  offer(): string | Promise<string>;
  answer(sdp: string, iceServers?: readonly IceServer[]): Promise<void>;
  answerTo(offer: ServerOffer): string | Promise<string>;
  addCandidate(candidate: IceCandidate): void | Promise<void>;
  stats(): StatsReport | Promise<StatsReport>;
  close(): void;
}

/** One participant: joins once and is never healed. What happens is told to `host`. */
export abstract class JoiningProbe<P extends JoiningPeer> {
  protected readonly id: string;
  protected readonly startedMs = performance.now();
  protected readonly routes: RouteWatch;
  protected state: 'joining' | 'up' | 'failed' | 'left' = 'joining';
  protected join: JoinTimes = {};
  private timers: ReturnType<typeof setTimeout>[] = [];
  private answers = 0;
  /** Descriptions of a connection follow one another: an offer waits until the exchange before it is over. */
  private readonly exchanges = new Map<P, Promise<unknown>>();
  protected abstract readonly peers: readonly P[];
  /** What plays it, as its failures name that. */
  protected abstract readonly place: 'page' | 'probe';

  constructor(
    private readonly order: ProbeOrder,
    protected readonly host: HostFunction,
    protected readonly nowMs: () => number,
  ) {
    this.id = order.participant.id;
    const legs = order.participant.legs.map(({ id }) => id);
    this.routes = new RouteWatch(order.relay, legs, (routes) => this.tell({ call: 'routed', probe: this.id, routes }));
  }

  /** Negotiates all legs at once. Every outcome is told to the host; never rejects. */
  async start(): Promise<void> {
    this.timers.push(setTimeout(() => void this.runOutOfTime(), this.order.deadlineMs));
    await Promise.all(this.peers.map((peer) => this.negotiate(peer)));
    this.look();
  }

  async addCandidate(leg: string, candidate: IceCandidate): Promise<void> {
    try {
      await this.peerOf(leg)?.addCandidate(candidate);
    } catch (error) {
      this.fail(unusable(error));
    }
  }

  /** The answer to a further offer of the server; `null`: it cannot be used, and the probe has failed. */
  async renegotiate(leg: string, offer: ServerOffer): Promise<string | null> {
    const peer = this.peerOf(leg);
    try {
      return peer ? await this.inTurn(peer, () => peer.answerTo(offer)) : null;
    } catch (error) {
      this.fail(unusable(error));
      return null;
    }
  }

  leave(): void {
    this.state = 'left';
    for (const timer of this.timers) clearTimeout(timer);
    for (const peer of this.peers) peer.close();
  }

  private peerOf(leg: string): P | undefined {
    return this.peers.find((one) => one.leg.id === leg);
  }

  private inTurn<T>(peer: P, exchange: () => T | Promise<T>): Promise<T> {
    const over = (this.exchanges.get(peer) ?? Promise.resolve()).then(exchange);
    this.exchanges.set(
      peer,
      over.catch(() => undefined),
    );
    return over;
  }

  private async negotiate(peer: P): Promise<void> {
    const of = { probe: this.id, leg: peer.leg.id };
    try {
      const begun = (await this.host({ call: 'begin', ...of })) as BeginReply | null;
      if (!begun?.ok) return this.refused(begun);
      const { first } = begun;
      await peer.begin(first, (candidate) => this.tell({ call: 'candidate', ...of, candidate }));
      if (first.by === 'server') return await this.answerTo(peer, first);
      await this.inTurn(peer, () => this.offerTo(peer));
      if (this.state !== 'joining') return;
      this.timers.push(...restartWhenDue(peer, this.id, this.host, (failure) => this.fail(failure)));
    } catch (error) {
      const detail = `negotiation failed in the ${this.place}: ${String(error)}`;
      this.fail(this.because(error, { code: 'page-error', detail }));
    }
  }

  private async offerTo(peer: P): Promise<void> {
    const offer = await peer.offer();
    const reply = await this.host({ call: 'negotiate', probe: this.id, leg: peer.leg.id, offer });
    if (!reply?.ok || !('answer' in reply)) return this.refused(reply);
    if (!this.agreed()) return;
    await peer
      .answer(reply.answer, reply.iceServers)
      .catch((error: unknown) => this.fail(this.because(error, unusable(error))));
  }

  private async answerTo(peer: P, offer: ServerOffer): Promise<void> {
    const answer = await this.renegotiate(peer.leg.id, offer);
    if (answer === null) return;
    const reply = await this.host({ call: 'answered', probe: this.id, leg: peer.leg.id, answer });
    if (reply?.ok) this.agreed();
    else this.refused(reply);
  }

  /** Both ends know both descriptions. False: it is no longer joining. */
  private agreed(): boolean {
    if (this.state !== 'joining') return false;
    this.answers += 1;
    if (this.answers === this.peers.length) this.reach('answerMs');
    return true;
  }

  private refused(reply: HostReply | null): void {
    if (reply?.ok === false) this.fail({ code: reply.code, detail: reply.detail });
  }

  /** To be called when the state of a connection has changed. */
  protected progress(): void {
    const all = this.now();
    if (all.every(({ iceState }) => iceIsUp(iceState))) this.reach('iceConnectedMs');
    if (all.every(({ connectionState }) => connectionState === 'connected')) this.reach('dtlsConnectedMs');
  }

  /** A connection has failed before it was up. @param why to be put behind a sentence */
  protected notConnected(leg: string, why = ''): void {
    const [code, step] =
      this.join.iceConnectedMs === undefined ? (['ice-timeout', 'ICE'] as const) : (['dtls-timeout', 'DTLS'] as const);
    this.fail(this.explained({ code, detail: `${step} failed after ${this.age()} on leg ${leg}${why}` }));
  }

  protected disconnected(leg: string, how: string): void {
    const detail = `the connection of leg ${leg} was ${how} after ${this.age()}`;
    this.fail({ code: 'disconnected', detail });
  }

  /** Looks until all expected media is there or the join is over. */
  private look(): void {
    if (this.state !== 'joining') return;
    this.timers.push(setTimeout(() => void this.lookOnce(), arrivalPollMs));
  }

  protected async lookOnce(): Promise<void> {
    const connected = this.join.dtlsConnectedMs !== undefined;
    if (connected && (await this.hasArrived()) && this.state === 'joining') {
      this.reach('firstFrameMs');
      this.state = 'up';
      const rates = this.peers.flatMap(({ rateControl }) => rateControl ?? []);
      this.tell({ call: 'up', probe: this.id, atMs: this.nowMs(), join: this.join, rates });
    }
    this.look();
  }

  /** All expected media is there, and came the way it was to come: without that proof no probe is up. */
  private async hasArrived(): Promise<boolean> {
    const reports = await this.reports();
    if (missingOf(this.now(), reports).length > 0) return false;
    this.checkRoutes(reports);
    return this.routes.proven;
  }

  private reports(): Promise<readonly StatsReport[]> {
    return Promise.all(this.peers.map((peer) => peer.stats()));
  }

  private now(): readonly JoiningLeg[] {
    return this.peers.map((peer) => peer.now);
  }

  protected checkRoutes(reports: readonly StatsReport[]): void {
    const detail = this.routes.look(reports);
    if (detail !== undefined) this.fail({ code: 'not-relayed', detail });
  }

  private async runOutOfTime(): Promise<void> {
    if (this.state !== 'joining') return;
    const missing = missingOf(this.now(), await this.reports());
    if (this.state !== 'joining') return;
    if (missing.length === 0 && this.join.dtlsConnectedMs !== undefined && !this.routes.proven)
      return this.fail({ code: 'not-relayed', detail: 'getStats does not say how it is connected' });
    const elapsedMs = performance.now() - this.startedMs;
    const late = this.explained(outOfTime({ join: this.join, elapsedMs, legs: this.now(), missing }));
    this.fail({ ...late, detail: `${late.detail}${this.routes.relaySaid}` });
  }

  private reach(milestone: Milestone): void {
    if (this.join[milestone] !== undefined || this.state !== 'joining') return;
    this.join = { ...this.join, [milestone]: performance.now() - this.startedMs };
    this.tell({ call: 'reached', probe: this.id, join: this.join });
  }

  /** Once failed is failed: later faults of the same probe follow from the first and are not told. */
  protected fail(failure: Failure): void {
    if (this.state !== 'joining' && this.state !== 'up') return;
    this.state = 'failed';
    this.tell({ call: 'failed', probe: this.id, failure: { ...failure, atMs: this.nowMs() } });
    this.onFailed();
  }

  protected onFailed(): void {}

  /** What `error` tells; `otherwise` where it tells no more. */
  protected because(_error: unknown, otherwise: Failure): Failure {
    return otherwise;
  }

  /** Adds what else is known about why it is not connected. */
  protected explained(failure: Failure): Failure {
    return failure;
  }

  protected age(): string {
    return `${((performance.now() - this.startedMs) / 1000).toFixed(1)} s`;
  }

  protected tell(call: HostCall): void {
    // A host that is gone ends the page, too: there is nobody to tell.
    this.host(call).catch(() => undefined);
  }
}
