import type { Link } from '../../model/network.js';
import type { NetworkCheck, NetworkFacts } from '../../model/network-record.js';

/**
 * The impaired networks of a run, one for each group of participants. Rejects with E_NETWORK_MEANS where this host cannot have
 * them, and E_NETWORK_LINK when a command fails. `stop` is idempotent and never rejects.
 */
export interface Networks {
  /** Makes namespaces and links. To be called before the media server is started, which listens on an address of theirs. */
  start(signal: AbortSignal): Promise<NetworkFacts>;
  /**
   * Shapes the links for a trial with so many connections in each network, then measures each. Rejects with E_NETWORK when a
   * network has more connections than it can tell apart.
   */
  apply(connections: ReadonlyMap<string, number>, signal: AbortSignal): Promise<readonly NetworkCheck[]>;
  /** From now on, `onLost` and no earlier one is told, once, when what shapes the links ended by itself. */
  watch(onLost: (detail: string) => void): void;
  /** The measured window begins: from here on the changes over time are counted. */
  begin(onChange: (change: NetworkChange) => void): void;
  /** Ends the changes. Resolves with the packets that were lost because what shapes the links had no time for them. */
  clear(): Promise<{ readonly overflow: number }>;
  /** Words to put in front of a program's own, so that it runs inside the network. */
  inside(network: string): readonly string[];
  stop(): Promise<void>;
}

export interface NetworkChange {
  readonly network: string;
  readonly up: Link;
  readonly down: Link;
  /** Why it was not made. */
  readonly failure?: string;
}
