import { clusterName, type PlacementName } from '../../model/placement.js';
import { ClusterServer } from '../../server-setup/cluster/cluster-server.js';
import { placementOf } from '../../server-setup/cluster/placement.js';
import type { SimulatedCluster } from '../../simulation/simulated-parts.js';
import { simulatedCores } from '../../simulation/simulated-server.js';

interface PlacedServers {
  readonly capacities: readonly number[];
  readonly placement: PlacementName;
}

/** A simulated server weighs what it carries, as someone who has measured each would have it. */
export function simulatedCluster({ capacities, placement }: PlacedServers): SimulatedCluster {
  const asOne: SimulatedCluster['asOne'] = (members, nowMs) =>
    new ClusterServer(
      members.map((member, nth) => ({
        name: clusterName(nth),
        weight: capacities[nth] ?? 1,
        server: member,
        busy: ({ cpuCores }) => (cpuCores === undefined ? undefined : cpuCores / simulatedCores),
      })),
      () => placementOf(placement),
      nowMs,
    );
  return { capacities, asOne };
}
