import type { Sample } from '../../model/sample.js';
import { RelayRefused } from '../../rtp/relay.js';
import type { Failure } from '../page/join-watch.js';
import { JoiningProbe } from '../page/joining-probe.js';
import { legSample } from '../page/leg-sample.js';
import type { StatsReport } from '../page/stats-report.js';
import { streamSamples } from '../page/stream-samples.js';
import type { HostFunction, ProbeOrder } from '../page/wire.js';
import { legMarksOf, withMarks } from './leg-marks.js';
import type { WritableReport } from './leg-stats.js';
import { NativePeer } from './native-peer.js';
import { neverInReach, otherWays } from './other-ways.js';
import type { PeerState, PeerSurroundings } from './peer-options.js';

const none: StatsReport = new Map();
const connectionState = ({ state }: NativePeer): string => (state === 'ice-connected' ? 'connecting' : state);

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
    const { last } = this;
    const readings = this.peers.map((peer, nth) => ({
      peer,
      before: last?.reports[nth] ?? none,
      report: peer.stats(this.spent[nth]),
      marks: peer.marks?.take(),
      facts: { ageMs: performance.now() - this.startedMs, ...peer.readFacts() },
    }));
    const reports = readings.map(({ report }) => report);
    this.checkRoutes(reports);
    this.last = { atMs, reports };
    this.spent = last?.reports ?? [];
    if (!last || atMs <= last.atMs) return undefined;
    return {
      // First, for its host stamps it (model/sample-line.ts).
      atMs,
      probe: this.id,
      intervalMs: atMs - last.atMs,
      lateMs,
      legs: readings.map(({ peer, report, facts }) => legSample(peer.leg.id, connectionState(peer), report, facts)),
      streams: readings.flatMap(({ peer, before, report, marks, facts }) =>
        withMarks(marks, streamSamples(peer.leg, before, report, facts)),
      ),
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
