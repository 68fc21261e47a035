import { mayBeEncoded } from '../../model/encodable.js';
import type { Plan } from '../../model/plan.js';
import { fullShareOf, judgedBySentinels } from '../../model/players.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { cpuLimitOf, hostNeeds, startsServer } from './host-needs.js';
import { defaultLayout } from './layout-choice.js';
import { type HostRoom, largestSize, largestThat, type Shortage } from './plan-cost.js';
import { type CpuFit, costsOn, mixCost, type ProbeCosts, statedCosts } from './probe-costs.js';

/**
 * Figures of one host differ by a fifth from run to run and by more between hosts, so what is refused is what would be
 * too much even at half of them. What lies between is said, and the search ends by itself where the probes run out.
 */
const surelyTooMuch = 2;

export function cpuFit(plan: Plan, scenario: Scenario, room: HostRoom): CpuFit | undefined {
  const { cores } = room;
  if (cores === undefined) return undefined;
  const costs = costsOn(room);
  const largest = largestSize(plan, scenario);
  const fittingOf = (one: Plan) => largestThat(largest, (size) => hostNeeds(one, scenario, size, costs).cores <= cores);
  const fitting = fittingOf(plan);
  const browsersAt = (size: number) => {
    const { probes, browserProbes, browserCores } = hostNeeds(plan, scenario, size, costs);
    return { size, count: browserProbes, of: probes, cores: browserCores };
  };
  const { players } = plan;
  const encoded = mayBeEncoded(plan) && fitting < largest ? fittingOf(asEncoded(plan)) : fitting;
  const share = fullShareOf(players);
  const kinds = [
    ...(share > 0 ? ['full' as const] : []),
    ...(share < 1 ? ['encoded' as const] : []),
    ...(judgedBySentinels(players) ? [players.kind] : []),
  ];
  return {
    cores,
    by: room.calibrated ? 'calibration' : 'stated figures',
    fitting,
    browsers: browsersAt(Math.max(scenario.baselineSize, fitting)),
    ...(encoded > fitting ? { fittingEncoded: encoded } : {}),
    costs: kinds.map((kind) => ({ kind, cost: costs[kind] })),
    countsServer: startsServer(plan),
    ...mixerCost(plan, scenario, costs),
    ...serverFit(plan, scenario, largest, costs),
    ...upLink(plan),
  };
}

function mixerCost(plan: Plan, scenario: Scenario, costs: ProbeCosts): Pick<CpuFit, 'mixerCoresPerProbe'> {
  const participants = participantsOf(scenario.sessions(scenario.baselineSize));
  const most = Math.max(0, ...participants.map((one) => mixCost(one, costs)));
  return startsServer(plan) && most > 0 ? { mixerCoresPerProbe: most } : {};
}

/** A calibration does not tell the server's share from the probes', so that the stated one stands for it. */
function serverFit(plan: Plan, scenario: Scenario, largest: number, costs: ProbeCosts): Pick<CpuFit, 'server'> {
  const cores = cpuLimitOf(plan);
  if (!startsServer(plan) || !Number.isFinite(cores)) return {};
  const { mixerCoresPerProbe, soundMixerCoresPerProbe } = costs;
  const stated = { ...statedCosts, mixerCoresPerProbe, soundMixerCoresPerProbe };
  const holds = (size: number) => hostNeeds(plan, scenario, size, stated).serverCores <= cores;
  return { server: { cores, fitting: largestThat(largest, holds) } };
}

function upLink({ server }: Plan): Pick<CpuFit, 'egressLimitBps'> {
  const { egressLimitBps } = server as { readonly egressLimitBps?: unknown };
  return typeof egressLimitBps === 'number' ? { egressLimitBps } : {};
}

function asEncoded(plan: Plan): Plan {
  return { ...plan, ...defaultLayout(true), players: { kind: 'encoded', fullShare: 0 } };
}

/** Whether the largest size would want over twice the CPU there is; empty where it would not, or is unknown. */
export function cpuShortages(plan: Plan, scenario: Scenario, room: HostRoom): readonly Shortage[] {
  const { cores } = room;
  if (cores === undefined) return [];
  const needed = hostNeeds(plan, scenario, largestSize(plan, scenario), costsOn(room)).cores;
  if (needed <= surelyTooMuch * cores) return [];
  return [{ what: 'CPU', needed: Math.ceil(needed), available: cores, unit: 'cores' }];
}
