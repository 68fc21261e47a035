import { historyOf } from '../../analysis/search/history.js';
import { given } from '../../model/given.js';
import type { SimulatedServerPlan } from '../../model/plan.js';
import type { RunListener } from '../../model/run-event.js';
import { type SimulationOptions, simulatedParts } from '../../simulation/simulated-parts.js';
import type { Parts } from '../../trial/parts.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { runParts } from './run-parts.js';
import { simulatedCluster } from './simulated-cluster.js';
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
