import type { Network } from '../../model/network.js';
import type { NetworkCheck } from '../../model/network-record.js';
import { connectionsMax, connectionsOf, type NetworkChange, type Networks } from '../../model/run-networks.js';
import type { Participant } from '../../model/scenario.js';
import type { OrderReply } from './wire.js';
import type { NetworksOrder } from './wire-networks.js';

interface AskedNetworks {
  readonly networks: readonly Network[];
  /** The media server is not in the network that this host itself is in. */
  readonly serverElsewhere: boolean;
}

/** Makes the networks of a run on this host; starts nothing yet. */
export type MakeNetworks = (asked: AskedNetworks) => Promise<Networks>;

interface HeldNetworksOptions {
  /** Absent: this host impairs nothing. */
  readonly make: MakeNetworks | undefined;
  /** The host's clock, epoch milliseconds. */
  readonly now: () => number;
  /** What shapes them ended by itself, or never was: a sentence part. */
  readonly onLost: (why: string) => void;
  /** A network became another one, so much later than it was told to. */
  readonly onChange: (change: NetworkChange, lateMs: number) => void;
}

/** The impaired networks that a run has had made on this host: those of its probes, and of nobody else. */
export class HeldNetworks {
  private networks: Networks | undefined;
  private lost: string | undefined;
  private shaped: ReadonlyMap<string, number> = new Map();
  private shaping: Promise<readonly NetworkCheck[]> | undefined;
  private givenUp = new AbortController();
  private readonly ended = new AbortController();
  private closing: Promise<void> | undefined;

  constructor(private readonly options: HeldNetworksOptions) {}

  async carryOut(order: NetworksOrder): Promise<OrderReply> {
    if (order.do === 'make-networks') return this.make(order);
    const { networks, lost } = this;
    if (!networks) return { ok: false, message: 'it has no networks of this run' };
    if (lost !== undefined) return { ok: false, message: lost };
    switch (order.do) {
      case 'shape-networks': {
        return { ok: true, checks: await this.shape(networks, new Map(Object.entries(order.connections))) };
      }
      case 'begin-networks': {
        const lateMs = Math.max(0, this.options.now() - order.atMs);
        networks.begin((change) => this.options.onChange(change, lateMs));
        return { ok: true };
      }
      case 'clear-networks':
        return { ok: true, ...(await networks.clear()) };
    }
  }

  /** Why these cannot be played, a sentence part. */
  whyNot(participants: readonly Participant[]): string | undefined {
    const asked = [...connectionsOf(participants)];
    if (asked.length === 0) return undefined;
    if (this.lost !== undefined) return this.lost;
    const isBeyond = (network: string, count: number) => {
      const shaped = this.shaped.get(network);
      return shaped === undefined || count > Math.min(connectionsMax, shaped);
    };
    const beyond = asked.find(([network, count]) => isBeyond(network, count));
    return beyond && `its network "${beyond[0]}" is not shaped for ${beyond[1]} connections`;
  }

  /** Words that start a program inside of one; absent while there are none. */
  get inside(): ((network: string) => readonly string[]) | undefined {
    const { networks } = this;
    return networks?.inside?.bind(networks);
  }

  /** Idempotent, never rejects. */
  close(): Promise<void> {
    this.ended.abort(new Error('the networks are over'));
    this.closing ??= this.networks?.stop() ?? Promise.resolve();
    return this.closing;
  }

  /** One that is still under way was given up by the conductor. */
  private async shape(networks: Networks, connections: ReadonlyMap<string, number>): Promise<readonly NetworkCheck[]> {
    this.givenUp.abort(new Error('the conductor waits for it no more'));
    this.givenUp = new AbortController();
    await this.shaping?.catch(() => undefined);
    this.shaped = new Map();
    const shaping = networks.apply(connections, AbortSignal.any([this.ended.signal, this.givenUp.signal]));
    this.shaping = shaping;
    const checks = await shaping;
    this.shaped = connections;
    return checks;
  }

  private async make({ networks: asked, serverElsewhere }: NetworksOrder & { readonly do: 'make-networks' }) {
    const { make, onLost } = this.options;
    if (!make) return { ok: false as const, message: 'it impairs no networks' };
    if (this.networks || this.ended.signal.aborted) return { ok: false as const, message: 'it has had its networks' };
    const networks = await make({ networks: asked, serverElsewhere });
    this.networks = networks;
    networks.watch((detail) => {
      this.lost = `its impaired network went away: ${detail}`;
      onLost(this.lost);
    });
    return { ok: true as const, networks: await networks.start(this.ended.signal) };
  }
}
