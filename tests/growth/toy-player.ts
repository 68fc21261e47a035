import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import { ProbeCalls } from '../../probes/ledger/probe-calls.js';
import { localFleets } from '../../probes/local-fleet.js';
import type { ProbeOrder } from '../../probes/page/wire.js';
import type { Player, PlayerOrder } from '../../probes/player.js';
import { simulatedSample } from '../../simulation/simulated-samples.js';

const secondMs = 1000;
const conditions = { arrivingShare: 1, lossShare: 0, frozenMs: 0, rttMs: 20, jitterMs: 2 };

/** A whole player that sends nothing: whatever the server does, each of its probes sees a call that is well. */
class ToyPlayer implements Player {
  private readonly there = new Map<string, { readonly participant: Participant; readonly upAtMs: number }>();
  private readonly calls: ProbeCalls;
  private readonly beat = setInterval(() => this.tellSecond(), secondMs);

  constructor(private readonly order: PlayerOrder) {
    this.calls = new ProbeCalls(order, { toPage: () => undefined, offerToPage: async () => 'toy' });
  }

  launch = async () => undefined;
  roots = () => new Set<number>();
  seat = () => ({ browser: 0, page: 0 });

  start({ participant }: ProbeOrder): void {
    void this.join(participant);
  }

  fail(probe: string, code: ProbeFailureCode, why: string): void {
    this.there.delete(probe);
    this.calls.fail(probe, code, why);
  }

  async hangUp(probes: readonly string[]): Promise<void> {
    for (const id of probes) {
      this.there.delete(id);
      this.calls.forget(id);
    }
  }

  leave = () => this.close();

  async close(): Promise<void> {
    clearInterval(this.beat);
    this.there.clear();
  }

  private async join(participant: Participant): Promise<void> {
    const { id: probe, legs } = participant;
    const startedMs = Date.now();
    for (const { id: leg } of legs) {
      await this.calls.answer({ call: 'begin', probe, leg });
      const reply = await this.calls.answer({ call: 'negotiate', probe, leg, offer: 'toy' });
      if (!reply?.ok) return;
    }
    const [upAtMs, tookMs] = [Date.now(), Date.now() - startedMs];
    const join = { answerMs: tookMs, iceConnectedMs: tookMs, dtlsConnectedMs: tookMs, firstFrameMs: tookMs };
    this.there.set(probe, { participant, upAtMs });
    await this.calls.answer({ call: 'up', probe, atMs: upAtMs, join, rates: [] });
  }

  private tellSecond(): void {
    const atMs = Date.now();
    const { host, options } = this.order;
    const live = [...this.there.values()].filter(({ upAtMs }) => upAtMs + secondMs <= atMs);
    const second = { host: host.id, atMs, noise: 0.5, overloaded: false, conditions };
    host.samples(
      live.map(({ participant, upAtMs }) =>
        simulatedSample(participant, options.media, { ...second, ageMs: atMs - upAtMs }),
      ),
    );
  }
}

export const toyPlayers = localFleets(async (order) => new ToyPlayer(order));
