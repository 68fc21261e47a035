import { type CarryingHost, type HostsNeed, hostsNeed, kindPlayed } from '../../analysis/search/hosts-need.js';
import { largestSize } from '../../analysis/search/plan-cost.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { findHosts } from '../../probes/hosts/find-hosts.js';
import { commonChromium, type FoundHost, unfitness, type Wanted } from '../../probes/hosts/unfitness.js';
import type { BusFlags } from '../options/bus-flags.js';
import type { ToolProcess } from '../process.js';
import { openBus } from './bus.js';
import { wantedHere } from './this-machine.js';

/** Asks a bus which hosts can serve, and says how many the plan needs. Reserves nothing. Throws E_BUS. */
export async function askHosts(
  { plan, scenario, bus: files }: { readonly plan: Plan; readonly scenario: Scenario; readonly bus?: BusFlags },
  from: string,
  tool: ToolProcess,
): Promise<HostsNeed> {
  const bus = await openBus({ url: from, ...(files ? { files } : {}) }, { side: 'conductor' }, tool);
  try {
    const wanted = await wantedHere();
    return hostsNeed(
      largestSize(plan, scenario),
      scenario,
      carryingHosts(await findHosts(bus), wanted, kindPlayed(plan)),
    );
  } finally {
    await bus.close();
  }
}

/** Those that can serve. */
export function carryingHosts(
  found: readonly FoundHost[],
  wanted: Wanted,
  kind: 'full' | 'encoded',
): readonly CarryingHost[] {
  const chromium = commonChromium(found, wanted);
  const all = { ...wanted, ...(chromium === undefined ? {} : { chromium }) };
  return found
    .filter((host) => unfitness(host, all) === undefined)
    .map(({ offer: { name, carries } }) => ({ id: name, ...(carries ? { carries: carries[kind] } : {}) }));
}
