import { release } from 'node:os';
import { pid } from 'node:process';
import { hasProgram } from '../../host/has-program.js';
import type { Plan, RealServerPlan } from '../../model/plan.js';
import { type HostLinks, makeHostLinks } from '../../server-setup/network/host-links.js';
import { type HostMeans, readHostMeans } from '../../server-setup/network/means.js';
import { hostOf, isElsewhere, type ServerKind } from '../../server-setup/server-kind.js';
import type { ToolProcess } from '../process.js';
import { withSbin } from './local-bus.js';

/** Where the media server of a run is, as seen from this machine. */
export type ServerReach = 'of-this-run' | 'loopback' | 'this-machine' | 'elsewhere';

/** Whether the hosts on this machine have their own network namespaces, or why not, a sentence part. */
export type OwnNetworks =
  | { readonly own: true; readonly links: HostLinks }
  | { readonly own: false; readonly why: string };

export async function serverReach(kind: ServerKind, server: RealServerPlan): Promise<ServerReach> {
  const host = hostOf(kind, server);
  if (host === undefined) return 'of-this-run';
  if (/^(localhost$|127\.|\[?::1)/.test(host)) return 'loopback';
  return (await isElsewhere(kind, server)) ? 'elsewhere' : 'this-machine';
}

/** Makes them where it can be done. Throws E_NETWORK_LINK; then nothing is left. */
export async function ownNetworks(
  count: number,
  plan: Plan,
  server: ServerReach,
  tool: ToolProcess,
): Promise<OwnNetworks> {
  const why = await whyShared(plan, server, tool);
  if (why !== undefined) return { own: false, why };
  const links = await makeHostLinks({ count, pid, serverElsewhere: server === 'elsewhere' });
  return { own: true, links };
}

/** Why the hosts on this machine share its network, a sentence part; undefined where each has its own. */
export async function whyShared(plan: Plan, server: ServerReach, tool: ToolProcess): Promise<string | undefined> {
  const env = withSbin(tool.env);
  return (
    whyReached(plan, server) ??
    whyMade(server, await readHostMeans(env.PATH, release()), await hasProgram('nsenter', env.PATH))
  );
}

function whyReached({ turn }: Plan, server: ServerReach): string | undefined {
  if (server === 'loopback') return 'the media server is named by the loopback interface, which they would not reach';
  if (turn && turn.server === undefined)
    return 'the relay of this run listens on the loopback interface, which they would not reach';
  return undefined;
}

export function whyMade(
  server: ServerReach,
  { mayChangeNetworks, programs, forwards }: Pick<HostMeans, 'mayChangeNetworks' | 'programs' | 'forwards'>,
  hasNsenter: boolean,
): string | undefined {
  if (!mayChangeNetworks) return 'namespaces need root (CAP_NET_ADMIN and CAP_SYS_ADMIN)';
  if (!programs.has('ip')) return 'ip of iproute2 is not installed';
  if (!hasNsenter) return 'nsenter of util-linux is not installed';
  if (server !== 'elsewhere') return undefined;
  if (!programs.has('nft')) return 'nft of nftables is not installed, and the media server is on another machine';
  if (forwards) return undefined;
  return 'this machine does not forward packets (net.ipv4.ip_forward), and the media server is on another one';
}
