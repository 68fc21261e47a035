import type { Sample } from '../../model/sample.js';
import { RelayRefused } from '../../rtp/relay.js';
import type { Failure } from '../page/join-watch.js';
import { JoiningProbe } from '../page/joining-probe.js';
import type { HostFunction, ProbeOrder } from '../page/wire.js';
import { legMarksOf } from './leg-marks.js';
import type { WritableReport } from './leg-stats.js';
import { NativePeer } from './native-peer.js';
import { neverInReach, otherWays } from './other-ways.js';
import type { PeerState, PeerSurroundings } from './peer-options.js';
import { peerSamples } from './peer-samples.js';

/** One native participant: joins once, and is measured alone. Tells `host` what a page would. */
export class NativeProbe extends JoiningProbe<NativePeer> {
  protected readonly place = 'probe';
  protected readonly peers: readonly NativePeer[];
  private last: { readonly atMs: number; readonly reports: readonly WritableReport[] } | undefined;
  /** Of before the last ones: the next are written over them. */
  private spent: readonly WritableReport[] = [];

  constructor(order: ProbeOrder, surroundings: PeerSurroundings, host: HostFunction) {
    super(order, host, () => surroundings.clock.nowMs());
    const marksOf = legMarksOf(order.participant, surroundings.ownClock);
    this.peers = order.participant.legs.map((leg) => {
      const onState = (state: PeerState, why: string) => this.changed(leg.id, state, why);
      return new NativePeer(leg, surroundings, onState, { relay: order.relay, marks: marksOf(leg) });
    });
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

  private changed(leg: string, state: PeerState, why: string): void {
    this.progress();
    if (state === 'disconnected') this.disconnected(leg, 'silent');
    else if (state === 'failed') this.notConnected(leg, ` (${why})`);
  }

  protected override async lookOnce(): Promise<void> {
    const unreachable = neverInReach(this.peers);
    if (unreachable) this.fail(unreachable);
    await super.lookOnce();
  }

  protected override because(error: unknown, otherwise: Failure): Failure {
    if (!(error instanceof RelayRefused)) return otherwise;
    return { code: 'ice-timeout', detail: `no candidate after ${this.age()}: ${error.message}` };
  }

  protected override explained(failure: Failure): Failure {
    return failure.code === 'ice-timeout' ? otherWays(failure, this.peers) : failure;
  }
}
