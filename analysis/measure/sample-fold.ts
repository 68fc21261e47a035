import { expectedStreams } from '../../model/expected-streams.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { type FoldedWindow, type FoldStores, hasTrouble } from './folded-window.js';
import { NumberBlocks } from './number-blocks.js';
import { ProbeFold, type ProbeState } from './probe-fold.js';
import { countPackets, noTally, type Packets, type ProbeTally } from './probe-tally.js';

/**
 * The samples of a trial, folded as they come: those before the window, those in it, each probe's in order of time.
 * What is kept grows with the streams of the trial, and not with its length.
 */
export class SampleFold {
  private readonly stores: FoldStores;
  private readonly probes = new Map<string, ProbeFold>();
  private window: FoldedWindow | undefined;
  /** Where probes come and go: over all samples of the window, measured or not. */
  private readonly packets = { packetsReceived: 0, packetsSent: 0 };

  /**
   * @param keepsSeconds as the window's: what loss is told by the second is kept from the start
   * @param joinedMs until then participants join; by default they do until it is said that they have
   */
  constructor(
    participants: readonly Participant[],
    private readonly keepsSeconds = false,
    joinedMs = Number.POSITIVE_INFINITY,
  ) {
    this.stores = { states: [], sums: new NumberBlocks(), joining: { untilMs: joinedMs }, isAnyLost: false };
    for (const participant of participants) this.expect(participant);
  }

  add(sample: Sample): void {
    const { window } = this;
    if (window?.startOf && sample.atMs - sample.intervalMs >= window.startMs && sample.atMs <= window.endMs)
      countPackets(this.packets, sample);
    (this.probes.get(sample.probe) ?? this.stranger(sample.probe)).add(sample);
  }

  joined(atMs: number): void {
    this.stores.joining.untilMs = Math.min(atMs, this.stores.joining.untilMs);
  }

  /** Once: from here on samples are of the window. */
  begin(window: FoldedWindow): void {
    this.window = { ...window, keepsSeconds: this.keepsSeconds };
    for (const [id, probe] of this.probes) this.beginOf(id, probe, this.window);
  }

  /** The window began earlier; only now is it known when it begins for this probe. */
  beginProbe(id: string): void {
    const probe = this.probes.get(id);
    if (probe && this.window) this.beginOf(id, probe, this.window);
  }

  private beginOf(id: string, probe: ProbeFold, window: FoldedWindow): void {
    const { startOf } = window;
    const startMs = startOf ? startOf(id) : window.startMs;
    if (startMs !== undefined) probe.begin(startOf ? { ...window, startMs } : window);
  }

  /** The window is over before its planned end: what comes from then on is not looked at. */
  end(endMs: number): void {
    if (this.window) this.window = { ...this.window, endMs: Math.min(endMs, this.window.endMs) };
    for (const probe of this.probes.values()) probe.end(endMs);
  }

  /** The window does not end at this moment: nobody asks what it says then, unless a participant noticed something. */
  letGo(endMs: number): void {
    const nth = this.window?.ends?.indexOf(endMs) ?? -1;
    if (this.window?.keepsEnds && nth >= 0 && !hasTrouble(this.stores, this.window, nth))
      this.stores.states[nth] = undefined;
  }

  /** Whether it can be told what the window says when it ends then. */
  isKnownAt(endMs: number): boolean {
    const nth = this.window?.ends?.indexOf(endMs) ?? -1;
    return !(nth in this.stores.states) || this.stores.states[nth] !== undefined;
  }

  /** False when samples of a probe came out of order: then they are to be sorted before they are folded. */
  get isInOrder(): boolean {
    for (const probe of this.probes.values()) if (!probe.isInOrder) return false;
    return true;
  }

  /** Everything of a probe when the window ends then; of one that was never read, too. */
  probe(participant: Participant, endMs: number): ProbeState {
    const fold = this.probes.get(participant.id) ?? this.expect(participant);
    return fold.at(endMs) ?? nothingOf(participant);
  }

  /** Of all probes that were read, expected or not, when the window ends then. */
  tallies(endMs: number): ReadonlyMap<string, ProbeTally> {
    const tallies = new Map<string, ProbeTally>();
    for (const [id, probe] of this.probes) tallies.set(id, probe.tallyAt(endMs) ?? noTally);
    return tallies;
  }

  /** Of all streams, of any probe, when the window ends then. */
  packetsAt(endMs: number): Packets {
    if (this.window?.startOf) return { ...this.packets };
    const packets = { packetsReceived: 0, packetsSent: 0 };
    for (const { packetsReceived, packetsSent } of this.tallies(endMs).values()) {
      packets.packetsReceived += packetsReceived;
      packets.packetsSent += packetsSent;
    }
    return packets;
  }

  /** Whether the probe was past saving, by its samples until then. */
  isLost(participant: Participant, haltMs: number): boolean {
    return this.probes.get(participant.id)?.isLostAt(haltMs) ?? false;
  }

  /** A probe that nobody expects has no streams, but is one that was read. */
  private stranger(id: string): ProbeFold {
    return this.put(id, new ProbeFold([], this.stores, false));
  }

  private expect(participant: Participant): ProbeFold {
    return this.put(participant.id, new ProbeFold(expectedStreams([participant]), this.stores, this.keepsSeconds));
  }

  private put(id: string, probe: ProbeFold): ProbeFold {
    if (this.window) this.beginOf(id, probe, this.window);
    this.probes.set(id, probe);
    return probe;
  }
}

/** Where more was folded than until then, nothing of it can be told: as if it had not been read. */
function nothingOf(participant: Participant): ProbeState {
  const streams = expectedStreams([participant]).map((expected) => ({
    expected,
    count: 0,
    readMs: 0,
    unreportedMs: 0,
    unknown: { count: 0, ms: 0 },
    values: () => ({}),
  }));
  return { tally: noTally, streams };
}
