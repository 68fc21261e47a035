import type { Cast } from '../../model/cast.js';
import type { HostClock, ProbeHostId } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { HostPool } from './host-pool.js';
import { assertConnections } from './networks-on-hosts.js';
import { type HostPart, TrialOnHost } from './trial-on-host.js';

export interface DealtTrialOptions extends HostPart {
  readonly pool: HostPool;
  /** On which host each is. */
  readonly choice: ReadonlyMap<string, ProbeHostId>;
}

/** The parts of one trial, each on its host. */
export class DealtTrial {
  readonly parts: readonly TrialOnHost[];
  readonly cast: Cast;
  private readonly order: readonly string[];
  private readonly byHost: ReadonlyMap<ProbeHostId, TrialOnHost>;
  private readonly byProbe: ReadonlyMap<string, TrialOnHost>;
  private readonly stopPlaying: () => void;
  private known: { readonly changes: number; readonly records: readonly ProbeRecord[] } | undefined;

  /** Throws E_NETWORK. */
  constructor({ pool, choice, ...whole }: DealtTrialOptions) {
    const { trial, participants } = whole;
    this.cast = whole.cast;
    this.parts = pool.hosts().flatMap((host) => {
      const own = participants.filter(({ id }) => choice.get(id) === host.id);
      if (own.length === 0) return [];
      assertConnections(host.id, own);
      return new TrialOnHost(host, { ...whole, participants: own });
    });
    this.order = participants.map(({ id }) => id);
    this.byHost = new Map(this.parts.map((part) => [part.host.id, part]));
    this.byProbe = new Map(this.parts.flatMap((part) => part.participants.map(({ id }) => [id, part] as const)));
    const byInstance = new Map(this.parts.map((part) => [part.host.offer.instance, part]));
    this.stopPlaying = pool.play(trial, {
      onBatch: (batch) => byInstance.get(batch.host)?.take(batch),
      onSignal: async (host, signal) =>
        (await byInstance.get(host)?.signalling.answer(signal)) ?? {
          ok: false,
          message: `host ${host} plays nothing here`,
        },
    });
  }

  async each(act: (part: TrialOnHost) => Promise<void>): Promise<void> {
    await Promise.all(this.parts.map(act));
  }

  on(host: ProbeHostId): TrialOnHost | undefined {
    return this.byHost.get(host);
  }

  /** The clock that marks name so; undefined where no host of this trial goes by it. */
  markedClock(clock: number): HostClock | undefined {
    return this.parts.find(({ host }) => host.ownClock === clock)?.host.clockFromOurs;
  }

  partOf(probe: string): TrialOnHost | undefined {
    return this.byProbe.get(probe);
  }

  /** Whose these are; hosts with none of them are left out. */
  shares(probes: readonly string[]): ReadonlyMap<TrialOnHost, readonly string[]> {
    const shares = new Map<TrialOnHost, string[]>();
    for (const probe of probes) {
      const part = this.byProbe.get(probe);
      if (!part) continue;
      const share = shares.get(part) ?? [];
      share.push(probe);
      shares.set(part, share);
    }
    return shares;
  }

  /** Ten thousand are asked for twice a second, and hardly ever change. */
  records(): readonly ProbeRecord[] {
    const changes = this.parts.reduce((sum, part) => sum + part.records.changes, 0);
    if (this.known?.changes !== changes) {
      const records = this.order.flatMap((probe) => this.byProbe.get(probe)?.records.of(probe) ?? []);
      this.known = { changes, records };
    }
    return this.known.records;
  }

  /** Nothing that hosts still tell concerns this trial. */
  end(): void {
    this.stopPlaying();
    for (const part of this.parts) part.end();
  }
}
