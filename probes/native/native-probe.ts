import type { Sample } from '../../model/sample.js';
import type { IceCandidate, IceServer, ServerOffer } from '../../model/signalling.js';
import type { JoinTimes } from '../../model/trial.js';
import { RelayRefused } from '../../rtp/relay.js';
import { missingOf, outOfTime, unusable } from '../page/join-watch.js';
import { restartWhenDue } from '../page/restart-ice.js';
import { RouteWatch } from '../page/route-watch.js';
import type { StatsReport } from '../page/stats-report.js';
import type { BeginReply, FailureReport, HostCall, HostFunction, HostReply, ProbeOrder } from '../page/wire.js';
import { legMarksOf } from './leg-marks.js';
import type { WritableReport } from './leg-stats.js';
import { NativePeer } from './native-peer.js';
import { OtherWays } from './other-ways.js';
import type { PeerState, PeerSurroundings } from './peer-options.js';
import { peerSamples } from './peer-samples.js';

/** As a page: how often a joining probe looks whether its media has arrived. */
const arrivalPollMs = 100;

type Failure = Omit<FailureReport, 'atMs'>;
type Milestone = 'answerMs' | 'iceConnectedMs' | 'dtlsConnectedMs' | 'firstFrameMs';

/** One native participant: joins once, is measured alone, is never healed. Tells `host` what a page would. */
export class NativeProbe {
  private readonly id: string;
  private readonly peers: readonly NativePeer[];
  private readonly startedMs = performance.now();
  private readonly nowMs: () => number;
  private readonly routes: RouteWatch;
  private readonly otherWays = new OtherWays();
  private state: 'joining' | 'up' | 'failed' | 'left' = 'joining';
  private join: JoinTimes = {};
  private timers: ReturnType<typeof setTimeout>[] = [];
  private last: { readonly atMs: number; readonly reports: readonly WritableReport[] } | undefined;
  /** Of before the last ones: the next are written over them. */
  private spent: readonly WritableReport[] = [];
  private answers = 0;
  /** By leg, an offer of its own: those of the server wait until it is answered. */
  private readonly offering = new Map<string, Promise<void>>();

  constructor(
    private readonly order: ProbeOrder,
    surroundings: PeerSurroundings,
    private readonly host: HostFunction,
  ) {
    this.id = order.participant.id;
    this.nowMs = () => surroundings.clock.nowMs();
    const marksOf = legMarksOf(order.participant, surroundings.ownClock);
    this.peers = order.participant.legs.map((leg) => {
      const onState = (state: PeerState, why: string) => this.changed(leg.id, state, why);
      return new NativePeer(leg, surroundings, onState, { relay: order.relay, marks: marksOf(leg) });
    });
    const legs = order.participant.legs.map(({ id }) => id);
    this.routes = new RouteWatch(order.relay, legs, (routes) => this.tell({ call: 'routed', probe: this.id, routes }));
  }

  /** Negotiates all legs at once. Every outcome is told; never rejects. */
  async start(): Promise<void> {
    this.timers.push(setTimeout(() => this.runOutOfTime(), this.order.deadlineMs));
    await Promise.all(this.peers.map((peer) => this.negotiate(peer)));
    this.look();
  }

  addCandidate(leg: string, candidate: IceCandidate): void {
    this.peers.find((one) => one.leg.id === leg)?.addCandidate(candidate);
  }

  /** A further offer of the server, which it cannot take: `null`, and the probe has failed. */
  async renegotiate(leg: string, offer: ServerOffer): Promise<string | null> {
    const peer = this.peers.find((one) => one.leg.id === leg);
    try {
      await this.offering.get(leg);
      return peer?.answerTo(offer) ?? null;
    } catch (error) {
      this.fail(unusable(error));
      return null;
    }
  }

  /** What happened since the last reading; `lateMs` is how late this process was at worst since then. */
  sample(lateMs: number): Sample | undefined {
    if (this.state === 'left' || !this.peers.every((peer) => peer.answered)) return undefined;
    const atMs = this.nowMs();
    const reports = this.peers.map((peer, nth) => peer.stats(this.spent[nth]));
    const marks = this.peers.map((peer) => peer.marks?.take());
    this.checkRoutes(reports);
    const facts = this.peers.map((peer) => peer.readFacts());
    const { last } = this;
    this.last = { atMs, reports };
    this.spent = last?.reports ?? [];
    if (!last || atMs <= last.atMs) return undefined;
    const ageMs = performance.now() - this.startedMs;
    return {
      // First, for its host stamps it (model/sample-line.ts).
      atMs,
      probe: this.id,
      intervalMs: atMs - last.atMs,
      lateMs,
      ...peerSamples(this.peers, last.reports, { reports, marks, facts: facts.map((of) => ({ ageMs, ...of })) }),
    };
  }

  /** Of its sockets. */
  get ports(): readonly number[] {
    return this.peers.flatMap((peer) => peer.ports);
  }

  leave(): void {
    this.state = 'left';
    for (const timer of this.timers) clearTimeout(timer);
    for (const peer of this.peers) peer.close();
  }

  private async negotiate(peer: NativePeer): Promise<void> {
    const of = { probe: this.id, leg: peer.leg.id };
    try {
      const begun = (await this.host({ call: 'begin', ...of })) as BeginReply | null;
      if (!begun?.ok) return this.refused(begun);
      const { first } = begun;
      this.named(first.iceServers);
      await peer.begin(first, (candidate) => this.tell({ call: 'candidate', ...of, candidate }));
      if (first.by === 'server') return await this.answerTo(peer, first);
      this.offering.set(peer.leg.id, this.offerTo(peer));
      await this.offering.get(peer.leg.id);
      this.timers.push(...restartWhenDue(peer, this.id, this.host, (failure) => this.fail(failure)));
    } catch (error) {
      if (error instanceof RelayRefused)
        return this.fail({ code: 'ice-timeout', detail: `no candidate after ${this.age()}: ${error.message}` });
      this.fail({ code: 'page-error', detail: `negotiation failed in the probe: ${String(error)}` });
    }
  }

  private async offerTo(peer: NativePeer): Promise<void> {
    const of = { probe: this.id, leg: peer.leg.id };
    const reply = await this.host({ call: 'negotiate', ...of, offer: peer.offer() });
    if (!reply?.ok || !('answer' in reply)) return this.refused(reply);
    if (!this.agreed()) return;
    this.named(reply.iceServers);
    await peer.named(reply.iceServers);
    try {
      peer.answer(reply.answer);
    } catch (error) {
      this.fail(unusable(error));
    }
  }

  private async answerTo(peer: NativePeer, offer: ServerOffer): Promise<void> {
    const answer = await this.renegotiate(peer.leg.id, offer);
    if (answer === null) return;
    const reply = await this.host({ call: 'answered', probe: this.id, leg: peer.leg.id, answer });
    if (reply?.ok) this.agreed();
    else this.refused(reply);
  }

  /** False: it is no longer joining. */
  private agreed(): boolean {
    if (this.state !== 'joining') return false;
    this.answers += 1;
    if (this.answers === this.peers.length) this.reach('answerMs');
    return true;
  }

  private refused(reply: HostReply | null): void {
    if (reply?.ok === false) this.fail({ code: reply.code, detail: reply.detail });
  }

  private changed(leg: string, state: PeerState, why: string): void {
    const isAtLeast = (...states: readonly PeerState[]) => this.peers.every((peer) => states.includes(peer.state));
    if (isAtLeast('ice-connected', 'connected')) this.reach('iceConnectedMs');
    if (isAtLeast('connected')) this.reach('dtlsConnectedMs');
    if (state === 'disconnected') {
      this.fail({ code: 'disconnected', detail: `the connection of leg ${leg} was silent after ${this.age()}` });
    } else if (state === 'failed') {
      const [code, step] =
        this.join.iceConnectedMs === undefined
          ? (['ice-timeout', 'ICE'] as const)
          : (['dtls-timeout', 'DTLS'] as const);
      const failure: Failure = { code, detail: `${step} failed after ${this.age()} on leg ${leg} (${why})` };
      this.fail(step === 'ICE' ? this.otherWays.ofIce(failure, this.peers) : failure);
    }
  }

  private look(): void {
    if (this.state !== 'joining') return;
    this.timers.push(setTimeout(() => this.lookOnce(), arrivalPollMs));
  }

  private lookOnce(): void {
    const unreachable = this.otherWays.neverInReach(this.peers);
    if (unreachable) this.fail(unreachable);
    const reports = this.peers.map((peer) => peer.stats());
    const hasMedia = this.join.dtlsConnectedMs !== undefined && missingOf(this.watched(), reports).length === 0;
    if (hasMedia) this.checkRoutes(reports);
    if (hasMedia && this.routes.proven && this.state === 'joining') {
      this.reach('firstFrameMs');
      this.state = 'up';
      const rates = this.peers.flatMap(({ rateControl }) => rateControl ?? []);
      this.tell({ call: 'up', probe: this.id, atMs: this.nowMs(), join: this.join, rates });
    }
    this.look();
  }

  private checkRoutes(reports: readonly StatsReport[]): void {
    const detail = this.routes.look(reports);
    if (detail !== undefined) this.fail({ code: 'not-relayed', detail });
  }

  private watched() {
    return this.peers.map(({ leg, descriptions: { streamOfMid, away } }) => ({ leg, streamOfMid, away: away.now }));
  }

  private runOutOfTime(): void {
    if (this.state !== 'joining') return;
    const reports = this.peers.map((peer) => peer.stats());
    const missing = missingOf(this.watched(), reports);
    const seen = [...new Set(this.peers.map(({ state }) => state))];
    const elapsedMs = performance.now() - this.startedMs;
    const descriptions = this.peers.map(({ description }) => description);
    const late = outOfTime({ join: this.join, elapsedMs, iceStates: seen, dtlsStates: seen, missing, descriptions });
    this.fail(late.code === 'ice-timeout' ? this.otherWays.ofIce(late, this.peers) : late);
  }

  /** With a relay there is one way, whatever the server names. */
  private named(servers: readonly IceServer[] | undefined): void {
    if (!this.order.relay) this.otherWays.named(servers);
  }

  private reach(milestone: Milestone): void {
    if (this.join[milestone] !== undefined || this.state !== 'joining') return;
    this.join = { ...this.join, [milestone]: performance.now() - this.startedMs };
    this.tell({ call: 'reached', probe: this.id, join: this.join });
  }

  /** Once failed is failed: later faults of the same probe follow from the first and are not told. */
  private fail(failure: Failure): void {
    if (this.state !== 'joining' && this.state !== 'up') return;
    this.state = 'failed';
    this.tell({ call: 'failed', probe: this.id, failure: { ...failure, atMs: this.nowMs() } });
  }

  private age(): string {
    return `${((performance.now() - this.startedMs) / 1000).toFixed(1)} s`;
  }

  private tell(call: HostCall): void {
    this.host(call).catch(() => undefined);
  }
}
