import { historyOf } from '../../analysis/search/history.js';
import { given } from '../../model/given.js';
import { clusterName, type PlacementName } from '../../model/placement.js';
import type { SimulatedServerPlan } from '../../model/plan.js';
import type { RunListener } from '../../model/run-event.js';
import { ClusterServer } from '../../server-setup/cluster/cluster-server.js';
import { placementOf } from '../../server-setup/cluster/placement.js';
import { type SimulatedCluster, type SimulationOptions, simulatedParts } from '../../simulation/simulated-parts.js';
import { simulatedCores } from '../../simulation/simulated-server.js';
import type { Parts } from '../../trial/parts.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { runParts } from './run-parts.js';
import { wallClock } from './wall-clock.js';

/** The parts of a run that needs neither a media server nor a browser. Makes the run's folder. Throws E_OUT. */
export async function wireSimulated(
  request: RunRequest,
  server: SimulatedServerPlan,
  tool: ToolProcess,
  listener: RunListener,
): Promise<Parts> {
  const records = request.resumed?.records ?? [];
  const { kind: _, cluster, ...alone } = server;
  const simulation: SimulationOptions = {
    scenario: request.scenario,
    ...given({ ...alone, cluster: cluster && simulatedCluster(cluster) }),
    resetCures: server.fatiguePercentPerOverload === undefined,
    past: historyOf(records).map(({ size }) => size),
    startMs: records.at(-1)?.endedAtMs ?? wallClock.nowMs(),
  };
  const parts = await runParts(request, tool, listener);
  return { ...parts, ...simulatedParts(simulation), chromium: { path: 'none', version: 'none' } };
}

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
