import { release, tmpdir } from 'node:os';
import { pid } from 'node:process';
import type { Plan } from '../../model/plan.js';
import type { Networks } from '../../model/run-networks.js';
import type { MakeNetworks } from '../../probes/hosts/held-networks.js';
import type { HostOffer } from '../../probes/hosts/wire.js';
import { ImpairedNetworks, serverAddress } from '../../server-setup/network/impaired-networks.js';
import { chooseMeans, meansError, readHostMeans, tryHostMeans } from '../../server-setup/network/means.js';
import { playsElsewhere } from '../options/host-flags.js';
import type { ToolProcess } from '../process.js';

/**
 * Whether this host can have the networks of the plan, and by what; `undefined` when none are asked of it. Looks at the
 * host, or with `tryHostMeans` tries it.
 */
export async function meansFor(
  plan: Plan,
  serverElsewhere: boolean,
  { env }: ToolProcess,
  look: typeof readHostMeans = readHostMeans,
) {
  // Of other hosts, each says itself what it can.
  if (!plan.networks || playsElsewhere(plan)) return undefined;
  return chooseMeans(await look(env.PATH, release()), serverElsewhere && !plan.hosts);
}

/** What this host can do for runs of others, which probe hosts offer. */
export async function impairsHere({ env }: ToolProcess): Promise<NonNullable<HostOffer['impairs']>> {
  const host = await readHostMeans(env.PATH, release());
  const [choice, elsewhere] = [chooseMeans(host), chooseMeans(host, true)];
  if (!choice.ok) return { means: 'none', why: choice.why };
  return { ...choice.facts, ...(elsewhere.ok ? {} : { lackElsewhere: elsewhere.why }) };
}

/** Makes sure that this host can have the networks of the plan. Throws E_NETWORK_MEANS with what to type. */
export async function ensureNetworks(plan: Plan, serverElsewhere: boolean, tool: ToolProcess): Promise<void> {
  const choice = await meansFor(plan, serverElsewhere, tool, tryHostMeans);
  if (choice?.ok === false) throw meansError(choice);
}

/** Starts nothing; `undefined` when probes use the host's own network. */
export async function networksOf(
  { networks }: Pick<Plan, 'networks'>,
  remoteServer: boolean,
  tool: ToolProcess,
): Promise<Networks | undefined> {
  return networks && networksMadeHere(tool)({ networks, serverElsewhere: remoteServer });
}

/** Makes networks that a run on another machine asks for; of the rights that this process has. */
export function networksMadeHere({ env, selfCommand }: ToolProcess): MakeNetworks {
  return async ({ networks, serverElsewhere: remoteServer }) => {
    const host = await tryHostMeans(env.PATH, release());
    return new ImpairedNetworks({ networks, pid, host, selfCommand, temporaryRoot: tmpdir(), remoteServer });
  };
}

/** Where a server of our own listens, so that the networks of this run reach it; `undefined` for its usual place. */
export function listenAddress({ networks }: Plan): string | undefined {
  return networks ? serverAddress(pid) : undefined;
}
