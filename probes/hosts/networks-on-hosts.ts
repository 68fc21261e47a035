import { given } from '../../model/given.js';
import type { Network } from '../../model/network.js';
import { lostTogether, type NetworkCheck, type NetworkFacts } from '../../model/network-record.js';
import type { ProbeHostId } from '../../model/probe-host.js';
import {
  applyBoundOf,
  connectionsMax,
  connectionsOf,
  type Networks,
  tooManyConnections,
} from '../../model/run-networks.js';
import type { Participant } from '../../model/scenario.js';
import { BusSilence } from './bus.js';
import { byMachine, type HeldHost } from './held-host.js';
import type { HostPool } from './host-pool.js';
import { errorOf } from './refusals.js';
import type { OrderReply } from './wire.js';
import type { NetworksOrder } from './wire-networks.js';

/** A second Linux may have to start. */
const makeWithinMs = 60_000;
const clearWithinMs = 20_000;
/** Beside the measuring itself: the way of an order. */
const slackMs = 5000;

type Done = Extract<OrderReply, { readonly ok: true }>;

/**
 * The networks of a run on the hosts that play its probes: each makes those of its own, shapes them by the plan and
 * measures them. A host that cannot do so is lost to the run, with the reason. They are removed when the run lets its
 * hosts go.
 */
export function networksOnHosts(
  pool: HostPool,
  networks: readonly Network[],
  /** The media server is not in the network that the host itself is in. */
  serverElsewhere: (host: HeldHost) => boolean,
): Networks {
  return new NetworksOnHosts(pool, networks, serverElsewhere);
}

/** Throws E_NETWORK: of the participants of one host, too many are on one network. */
export function assertConnections(host: ProbeHostId, participants: readonly Participant[]): void {
  for (const [network, count] of connectionsOf(participants)) {
    if (count > connectionsMax) throw tooManyConnections(network, count, host);
  }
}

class NetworksOnHosts implements Networks {
  private readonly over = new AbortController();
  private refused: Extract<OrderReply, { readonly ok: false }> | undefined;

  constructor(
    private readonly pool: HostPool,
    private readonly networks: readonly Network[],
    private readonly serverElsewhere: (host: HeldHost) => boolean,
  ) {}

  get applyBoundMs(): number {
    const most = Math.max(1, ...byMachine(this.pool.hosts()).map((hosts) => hosts.length));
    return most * (applyBoundOf(this.networks.length) + slackMs);
  }

  async start(signal: AbortSignal): Promise<NetworkFacts> {
    const made = await Promise.all(
      this.pool.hosts().map(async (host) => {
        const networks = structuredClone([...this.networks]);
        const order: NetworksOrder = { do: 'make-networks', networks, serverElsewhere: this.serverElsewhere(host) };
        const reply = await this.ordered(host, order, signal, makeWithinMs);
        return reply?.networks ? [{ id: host.id, facts: reply.networks }] : [];
      }),
    );
    signal.throwIfAborted();
    const [first] = made.flat();
    if (!first) throw errorOf(this.refused ?? { message: 'No probe host could make the networks.' });
    return { means: first.facts.means, why: inWords(made.flat()) };
  }

  /** What is measured on one machine at once would disturb each other. */
  async apply(connections: ReadonlyMap<string, number>, signal: AbortSignal): Promise<readonly NetworkCheck[]> {
    const most = [...connections].map(([network, count]) => [network, Math.min(connectionsMax, count)] as const);
    const order: NetworksOrder = { do: 'shape-networks', connections: Object.fromEntries(most) };
    const withinMs = applyBoundOf(this.networks.length) + slackMs;
    const checked = new Map<HeldHost, readonly NetworkCheck[]>();
    await Promise.all(
      byMachine(this.pool.hosts()).map(async (hosts) => {
        for (const host of hosts) {
          const reply = await this.ordered(host, order, signal, withinMs);
          if (reply)
            checked.set(
              host,
              (reply.checks ?? []).map((check) => ofHost(host, check)),
            );
        }
      }),
    );
    signal.throwIfAborted();
    return this.pool.hosts().flatMap((host) => checked.get(host) ?? []);
  }

  /** A host whose networks go away is lost, and says so itself. */
  watch(): void {}

  /** Each host tells of its own changes, as events of its part of the trial. */
  begin(): void {
    const now = Date.now();
    for (const host of this.pool.hosts()) {
      void this.ordered(host, { do: 'begin-networks', atMs: host.itsTime(now) }, this.over.signal, clearWithinMs);
    }
  }

  /** A host that does not answer, or does not know, leaves the sum unknown. */
  async clear(): Promise<{ readonly overflow?: number }> {
    const replies = await Promise.all(
      this.pool.hosts().map((host) => this.ordered(host, { do: 'clear-networks' }, this.over.signal, clearWithinMs)),
    );
    return given({ overflow: lostTogether(replies.map((reply) => reply?.overflow)) });
  }

  async stop(): Promise<void> {
    this.over.abort(new Error('the run is over'));
  }

  /** `undefined` of a host that is lost by it. */
  private async ordered(
    host: HeldHost,
    order: NetworksOrder,
    signal: AbortSignal,
    withinMs: number,
  ): Promise<Done | undefined> {
    const lost = new AbortController();
    const stop = host.whenLost((why) => lost.abort(new Error(why)));
    try {
      const reply = await host.order(order, AbortSignal.any([signal, lost.signal]), withinMs);
      if (reply.ok) return reply;
      this.refused ??= reply;
      host.lose(`it could not ${asWords[order.do]}: ${[reply.message, reply.why].filter(Boolean).join(' ')}`);
    } catch (error) {
      if (signal.aborted || lost.signal.aborted) return undefined;
      if (!(error instanceof BusSilence)) throw error;
      host.lose(`it did not answer the order to ${asWords[order.do]}`);
    } finally {
      stop();
    }
    return undefined;
  }
}

const asWords: Readonly<Record<NetworksOrder['do'], string>> = {
  'make-networks': 'make its impaired networks',
  'shape-networks': 'shape and measure its impaired networks',
  'begin-networks': 'begin the changes of its impaired networks',
  'clear-networks': 'end the changes of its impaired networks',
};

const ofHost = ({ id }: HeldHost, check: NetworkCheck): NetworkCheck => ({
  ...check,
  host: id,
  problems: check.problems.map((problem) => `On host ${id}: ${problem}`),
});

/** "on a, b: kernel 6.1.0 has netem": hosts that have the same together. */
function inWords(made: readonly { readonly id: ProbeHostId; readonly facts: NetworkFacts }[]): string {
  const whys = [...new Set(made.map(({ facts }) => facts.why))];
  const idsOf = (why: string) => made.filter(({ facts }) => facts.why === why).map(({ id }) => id);
  return whys.map((why) => `on ${idsOf(why).join(', ')}: ${why}`).join('; ');
}
