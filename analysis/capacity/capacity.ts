import type { CapacityAsk } from './ask.js';
import { assumptionsOf } from './assumptions.js';
import { type MonthlyCost, monthlyCost } from './cost.js';
import { choicesOf, fleetOfOne, type HostChoice, type HostFleet } from './fleet.js';
import type { HostLimit } from './host-limit.js';
import { type Joining, joiningOf } from './joining.js';
import { type Sensitivity, sensitivities } from './sensitivity.js';
import { type Situation, type SituationAt, situations } from './situation.js';
import { type Relays, relaysOf, type Traffic, trafficOf } from './traffic.js';

/** From limits to hosts: the document of `loadline capacity --format json`. */
export interface Capacity {
  readonly asked: CapacityAsk;
  /** What was measured, and what one host is given of it. */
  readonly choices: readonly HostChoice[];
  readonly peak: Situation;
  /** Each demand on each kind of host alone, for comparing. */
  readonly alone: readonly Alone[];
  /** Null where some bit rate is not known. */
  readonly traffic: Traffic | null;
  readonly relays: Relays | null;
  readonly joining: readonly Joining[];
  /** Null without prices. */
  readonly cost: MonthlyCost | null;
  readonly growth: readonly GrowthRow[];
  readonly curve: readonly CurveRow[];
  readonly sensitivity: readonly Sensitivity[];
  /** For the picture: hosts over demand. */
  readonly overDemand: readonly DemandPoint[];
  /** What was not measured and is taken for granted, each a sentence. */
  readonly assumptions: readonly string[];
}

interface Alone {
  readonly scenario: string;
  readonly hostType: string;
  /** Null where that kind cannot carry it alone. */
  readonly fleet: HostFleet | null;
}

interface GrowthRow {
  readonly month: number;
  readonly units: readonly number[];
  readonly hosts: number;
  readonly fewest: number | null;
  readonly costPerMonth?: number;
}

interface CurveRow {
  readonly time: string;
  readonly units: readonly number[];
  readonly hosts: number;
  readonly fewest: number | null;
}

interface DemandPoint {
  readonly factor: number;
  readonly hosts: number;
  readonly fewest: number | null;
  readonly costPerMonth?: number;
}

const pointsOfPicture = 60;

/** Throws E_USAGE where nothing measured can carry what is asked. Pure. */
export function capacityOf(limits: readonly HostLimit[], ask: CapacityAsk): Capacity {
  const own = limits.filter(({ scenario }) => ask.demands.some((demand) => demand.scenario === scenario));
  const months = ask.growth ? Array.from({ length: ask.growth.months + 1 }, (_, month) => month) : [];
  const factorOf = (month: number) => (1 + (ask.growth?.perMonth ?? 0)) ** month;
  const mostFactor = Math.max(1.25, factorOf(ask.growth?.months ?? 0));
  const peak = situations(own, ask, 1)(1);
  // Of the busiest moment: else two kinds that cost about the same would take turns from hour to hour.
  const used = own.filter(({ hostType }) => isUsed(hostType, peak));
  const at = situations(used, ask, mostFactor);
  const traffic = trafficOf(peak, own, ask);
  const carried = { at, traffic, limits: own };
  const cost = monthlyCost(carried, ask);
  const choices = choicesOf(own, ask);
  const costAt = (factor: number) => {
    const total = monthlyCost(carried, ask, factor)?.total;
    return total === undefined ? {} : { costPerMonth: total };
  };
  return {
    asked: ask,
    choices,
    peak,
    alone: aloneOf(choices, ask),
    traffic,
    relays: relaysOf(peak, own, ask),
    joining: joiningOf(choices, peak, ask),
    cost,
    growth: months.map((month) => ({ month, ...brief(at, factorOf(month)), ...costAt(factorOf(month)) })),
    curve: (ask.curve ?? []).map(({ time, share }) => ({ time, ...brief(at, share) })),
    sensitivity: sensitivities(peak, own, ask, cost),
    overDemand: Array.from({ length: pointsOfPicture + 1 }, (_, nth) => {
      const factor = (mostFactor * nth) / pointsOfPicture;
      const { hosts, fewest } = at(factor);
      return { factor, hosts, fewest, ...costAt(factor) };
    }),
    assumptions: assumptionsOf(own, ask),
  };
}

function isUsed(hostType: string, { places }: Situation): boolean {
  return places.some(({ fleets }) => fleets.some(({ counts }) => counts.some((count) => count.hostType === hostType)));
}

function brief(at: SituationAt, factor: number) {
  const { units, hosts, fewest } = at(factor);
  return { units, hosts, fewest };
}

function aloneOf(choices: readonly HostChoice[], ask: CapacityAsk): Alone[] {
  return ask.demands.flatMap(({ scenario, units }) =>
    choices
      .filter(({ limit }) => limit.scenario === scenario)
      .map((choice) => ({ scenario, hostType: choice.limit.hostType, fleet: fleetOfOne(units, choice, ask) })),
  );
}
