import { type CarryingHost, type HostsNeed, hostsNeed, playedShares } from '../../analysis/needs/hosts-need.js';
import { largestSize } from '../../analysis/needs/plan-cost.js';
import { carriedTogether, type KindShares } from '../../model/calibration.js';
import { given } from '../../model/given.js';
import { firstServer, isSimulated, type Plan } from '../../model/plan.js';
import { findHosts } from '../../probes/hosts/find-hosts.js';
import { commonChromium, type FoundHost, unfitness, type Wanted } from '../../probes/hosts/unfitness.js';
import { isElsewhere, type ServerKind } from '../../server-setup/server-kind.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { openBus } from './bus.js';
import { wantedHere } from './this-machine.js';

/** Asks a bus which hosts can serve, and says how many the plan needs. Reserves nothing. Throws E_BUS. */
export async function askHosts(
  { plan, scenario, kind, app, bus: files }: Pick<RunRequest, 'plan' | 'scenario' | 'kind' | 'app' | 'bus'>,
  from: string,
  tool: ToolProcess,
): Promise<HostsNeed> {
  const bus = await openBus({ url: from, files }, { side: 'conductor' }, tool);
  try {
    const wanted = { ...(await wantedBy(plan, kind)), ...given({ app: app?.digest }) };
    const found = await findHosts(bus);
    const shares = playedShares(plan, scenario, Math.max(1, found.length));
    return hostsNeed(largestSize(plan, scenario), scenario, carryingHosts(found, wanted, shares));
  } finally {
    await bus.close();
  }
}

/** What the hosts of this plan must be of. */
async function wantedBy({ networks, server }: Plan, kind: ServerKind | undefined): Promise<Wanted> {
  const wanted = await wantedHere();
  if (!networks || !kind || isSimulated(server)) return wanted;
  return { ...wanted, impairs: { serverElsewhere: await isElsewhere(kind, firstServer(server)) } };
}

/** Those that can serve. */
function carryingHosts(found: readonly FoundHost[], wanted: Wanted, shares: KindShares): readonly CarryingHost[] {
  const all = { ...wanted, ...given({ chromium: commonChromium(found, wanted) }) };
  return found
    .filter((host) => unfitness(host, all) === undefined)
    .map(({ offer: { name, carries } }) => given({ id: name, carries: carries && carriedTogether(carries, shares) }));
}
