import { once } from '../../host/once.js';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { changesOf, isCleanNetwork, linksAt, type Network } from '../../model/network.js';
import type { NetworkCheck, NetworkFacts } from '../../model/network-record.js';
import {
  applyBoundOf,
  connectionsMax,
  type NetworkChange,
  type Networks,
  tooManyConnections,
} from '../../model/run-networks.js';
import type { Box } from './box.js';
import { checkNetwork } from './check/check-network.js';
import { countedSince } from './drops.js';
import { limitPorts, makeNamespace, makeNat, makeVeth, raiseLink } from './group-link.js';
import { openKernelBox } from './kernel-box.js';
import { networkFolders, removeNamespace, removeNatTable } from './leftovers.js';
import { chooseMeans, type HostMeans, meansError } from './means.js';
import { boxNamespace, type GroupNames, groupNames } from './names.js';
import { tryCommand } from './run-command.js';
import { reshapeLines, type Shape, shapeLines, slotsFor } from './shape.js';
import { openUmlBox } from './uml-box.js';

interface ImpairedNetworksOptions {
  readonly networks: readonly Network[];
  /** Names what is made; the process that ends it. */
  readonly pid: number;
  readonly host: HostMeans;
  readonly selfCommand: readonly string[];
  readonly temporaryRoot: string;
  /** True when the media server is on another machine. */
  readonly remoteServer: boolean;
}

/** The address that a media server of our own has to listen on, so that all networks of a run reach it. */
export function serverAddress(pid: number): string {
  return groupNames(pid, 0).hostAddress;
}

/** Namespaces on this host, with netem of its own kernel or of a User-mode Linux between them and the host. */
export class ImpairedNetworks implements Networks {
  #box: Box | undefined;
  #folder: string | undefined;
  #slots = new Map<string, number>();
  #timers: NodeJS.Timeout[] = [];
  #overflowBefore: number | undefined;
  #onLost: (detail: string) => void = () => undefined;

  constructor(private readonly options: ImpairedNetworksOptions) {}

  get applyBoundMs(): number {
    return applyBoundOf(this.options.networks.length);
  }

  async start(signal: AbortSignal): Promise<NetworkFacts> {
    signal.throwIfAborted();
    const { networks, pid, host, temporaryRoot, remoteServer } = this.options;
    const choice = chooseMeans(host, remoteServer);
    if (!choice.ok) throw meansError(choice);
    try {
      this.#folder = await networkFolders.make(temporaryRoot);
      for (const group of networks.keys()) await makeNamespace(this.#names(group).namespace);
      const shaped = [...networks.keys()].filter((group) => !this.#isClean(group));
      for (const group of networks.keys()) if (this.#isClean(group)) await makeVeth(this.#names(group));
      const open = choice.facts.means === 'netem' ? openKernelBox : openUmlBox;
      if (shaped.length > 0) this.#box = await open({ pid, groups: shaped, folder: this.#folder, signal });
      void this.#box?.lost?.then((how) => this.#onLost(how));
      for (const group of networks.keys()) await raiseLink(this.#names(group));
      if (remoteServer) await makeNat(pid);
    } catch (error) {
      await this.stop();
      throw error;
    }
    return choice.facts;
  }

  async apply(connections: ReadonlyMap<string, number>, signal: AbortSignal): Promise<readonly NetworkCheck[]> {
    const { networks, selfCommand } = this.options;
    this.#overflowBefore = undefined;
    for (const [group, network] of networks.entries()) {
      signal.throwIfAborted();
      await this.#shape(group, network, connections.get(network.name) ?? 0);
    }
    this.#overflowBefore = await this.#box?.overflow();
    // One after the other: each would add to what the next one measures.
    const checks: NetworkCheck[] = [];
    for (const [group, network] of networks.entries()) {
      const { hostAddress } = this.#names(group);
      const set = linksAt(network, -1);
      const inside = this.inside(network.name);
      checks.push(await checkNetwork({ network: network.name, set, inside, selfCommand, hostAddress, signal }));
    }
    return checks;
  }

  watch(onLost: (detail: string) => void): void {
    this.#onLost = onLost;
  }

  begin(onChange: (change: NetworkChange) => void): void {
    for (const [group, network] of this.options.networks.entries()) {
      for (const atMs of changesOf(network)) {
        const timer = setTimeout(() => {
          const { name } = network;
          const links = linksAt(network, atMs);
          this.#reshape(group, network, atMs).then(
            () => onChange({ network: name, ...links }),
            (error: unknown) => onChange({ network: name, ...links, failure: String(error) }),
          );
        }, atMs);
        this.#timers.push(timer);
      }
    }
  }

  async clear(): Promise<{ readonly overflow?: number }> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    if (!this.#box) return { overflow: 0 };
    return given({ overflow: countedSince(this.#overflowBefore, await this.#box.overflow()) });
  }

  inside(name: string): readonly string[] {
    const group = this.options.networks.findIndex((network) => network.name === name);
    if (group === -1) throw new LoadlineError('E_INTERNAL', `There is no network "${name}" in this run.`);
    return ['ip', 'netns', 'exec', this.#names(group).namespace];
  }

  readonly stop = once(() => this.#stop());

  async #stop(): Promise<void> {
    const { networks, pid, remoteServer } = this.options;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#box?.close();
    for (const group of networks.keys()) {
      await removeNamespace(this.#names(group).namespace);
      await tryCommand(['ip', 'link', 'del', this.#names(group).hostDevice]);
      // Where it was never moved into its namespace.
      await tryCommand(['ip', 'link', 'del', this.#names(group).probeDevice]);
    }
    await removeNamespace(boxNamespace(pid));
    if (remoteServer) await removeNatTable(pid);
    if (this.#folder !== undefined) await removeFolder(this.#folder);
  }

  #names(group: number): GroupNames {
    return groupNames(this.options.pid, group);
  }

  #isClean(group: number): boolean {
    const network = this.options.networks[group];
    return network === undefined || isCleanNetwork(network);
  }

  async #shape(group: number, network: Network, connections: number): Promise<void> {
    if (this.#isClean(group)) return;
    if (connections > connectionsMax) throw tooManyConnections(network.name, connections);
    const slots = slotsFor(connections);
    this.#slots.set(network.name, slots);
    await limitPorts(this.#names(group).namespace, slots);
    await this.#box?.tc(this.#shapes(group, network, -1).flatMap(shapeLines));
  }

  async #reshape(group: number, network: Network, atMs: number): Promise<void> {
    await this.#box?.tc(this.#shapes(group, network, atMs).flatMap(reshapeLines));
  }

  #shapes(group: number, network: Network, atMs: number): readonly Shape[] {
    const devices = this.#box?.devices(group);
    if (!devices) return [];
    const slots = this.#slots.get(network.name) ?? 0;
    const { up, down } = linksAt(network, atMs);
    return [
      { device: devices.towardsServer, port: 'source', link: up, slots },
      { device: devices.towardsProbes, port: 'destination', link: down, slots },
    ];
  }
}
