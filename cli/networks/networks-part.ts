import { release, tmpdir } from 'node:os';
import { pid } from 'node:process';
import type { Plan } from '../../model/plan.js';
import { impairedNetworks, serverAddress } from '../../server-setup/network/impaired-networks.js';
import { chooseMeans, type MeansChoice, meansError, readHostMeans } from '../../server-setup/network/means.js';
import type { Networks } from '../../server-setup/network/networks.js';
import type { ToolProcess } from '../process.js';

/** Whether this host can have the networks of the plan, and by what; `undefined` when none are asked. */
export async function meansFor(
  { networks }: Plan,
  serverElsewhere: boolean,
  { env }: ToolProcess,
): Promise<MeansChoice | undefined> {
  return networks && chooseMeans(await readHostMeans(env.PATH, release()), serverElsewhere);
}

/** Makes sure that this host can have the networks of the plan. Throws E_NETWORK_MEANS with what to type. */
export async function ensureNetworks(plan: Plan, serverElsewhere: boolean, tool: ToolProcess): Promise<void> {
  const choice = await meansFor(plan, serverElsewhere, tool);
  if (choice?.ok === false) throw meansError(choice.why, choice.todo);
}

/** Starts nothing; `undefined` when probes use the host's own network. */
export async function networksOf(
  { networks }: Plan,
  remoteServer: boolean,
  { env, selfCommand }: ToolProcess,
): Promise<Networks | undefined> {
  if (!networks) return undefined;
  const host = await readHostMeans(env.PATH, release());
  return impairedNetworks({ networks, pid, host, selfCommand, temporaryRoot: tmpdir(), remoteServer });
}

/** Where a server of our own listens, so that the networks of this run reach it; `undefined` for its usual place. */
export function listenAddress({ networks }: Plan): string | undefined {
  return networks ? serverAddress(pid) : undefined;
}
