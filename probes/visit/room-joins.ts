import type { Participant } from '../../model/scenario.js';
import type { JoinTimes } from '../../model/trial.js';
import type { ProbeOrder } from '../page/wire.js';
import type { PlayerOrder } from '../player.js';

/** How far members of rooms have joined, for the ledger and for who times their joins. */
export class RoomJoins {
  /** Those whose connection is up. */
  private readonly connected = new Set<string>();
  /** When the last of the others in the room of each was connected, by the clock of `startedMsOf`. */
  private readonly othersAtMs = new Map<string, number>();
  /** Of those whose app has not answered yet: who is told that it has. */
  private readonly answers = new Map<string, ReturnType<PlayerOrder['hears']>>();

  constructor(
    private readonly order: Pick<PlayerOrder, 'hears' | 'ledger' | 'participants'>,
    /** When each began, milliseconds of one clock for all; 0: it has not. */
    private readonly startedMsOf: (id: string) => number,
  ) {}

  /** All until it is answered is the app's. */
  begun({ participant: { id: probe, legs } }: ProbeOrder): void {
    const { hears } = this.order;
    const leg = legs[0]?.id ?? probe;
    hears({ call: 'begin', probe, leg })({ ok: true, first: { by: 'probe' } });
    this.answers.set(probe, hears({ call: 'negotiate', probe, leg, offer: '' }));
  }

  left(id: string): void {
    this.answers.delete(id);
  }

  /**
   * Until a page has loaded and connected, nobody can see its member: that is in the member's own time to join. So the
   * others' first frames count from when the last member was connected.
   */
  reached({ id, session }: Participant, join: JoinTimes): void {
    const { ledger, participants, hears } = this.order;
    ledger.reached(id, join);
    if (join.answerMs !== undefined) {
      this.answers.get(id)?.({ ok: true, answer: '' });
      this.answers.delete(id);
    }
    hears({ call: 'reached', probe: id, join });
    const { dtlsConnectedMs } = join;
    if (dtlsConnectedMs === undefined || this.connected.has(id)) return;
    this.connected.add(id);
    const connectedAtMs = this.startedMsOf(id) + dtlsConnectedMs;
    for (const other of participants) {
      if (other.session !== session || other.id === id) continue;
      // Who is told of last need not have been connected last.
      const atMs = Math.max(connectedAtMs, this.othersAtMs.get(other.id) ?? 0);
      this.othersAtMs.set(other.id, atMs);
      const startedMs = this.startedMsOf(other.id);
      if (startedMs > 0) ledger.reached(other.id, { sourcesStartedMs: Math.max(0, atMs - startedMs) });
    }
  }
}
