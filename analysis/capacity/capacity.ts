import { type CapacityAsk, unitsOnAverage } from './ask.js';
import { assumptionsOf } from './assumptions.js';
import { type MonthlyCost, monthlyCost, stepsOf } from './cost.js';
import { choicesOf, fleetOfOne, type HostChoice, type HostFleet } from './fleet.js';
import type { HostLimit } from './host-limit.js';
import { type Joining, joiningOf } from './joining.js';
import { type PlacementRow, placementRows } from './placement-rows.js';
import { tieredCost } from './price-tiers.js';
import { type Situation, type SituationAt, situations } from './situation.js';
import { type Relays, relaysOf, type Traffic, trafficOf } from './traffic.js';
import type { Usable } from './usable.js';

/** From limits to hosts: the document of `loadline capacity --format json`. */
export interface Capacity {
  readonly asked: CapacityAsk;
  /** What was measured, and what one host is given of it. */
  readonly choices: readonly HostChoice[];
  readonly peak: Situation;
  /** Each demand on each kind of host alone, for comparing. */
  readonly alone: readonly Alone[];
  /** Where sessions come by chance: what each way to place them makes of the hosts at the busiest moment. */
  readonly placements: readonly PlacementRow[];
  /** With all places taken. Null where some bit rate is not known. */
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
  readonly hours: number;
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
  const onAverage = ask.demands.map(unitsOnAverage);
  const trafficAt = (factor: number) =>
    trafficOf({ units: onAverage.map((units) => factor * units), feeds: [] }, own, ask);
  const carried = { at, trafficAt, limits: own };
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
    placements: placementRows(peak, choices, ask),
    traffic: trafficOf(peak, own, ask),
    relays: relaysOf(peak, own, ask),
    joining: joiningOf(choices, peak, ask),
    cost,
    growth: months.map((month) => ({ month, ...brief(at, factorOf(month)), ...costAt(factorOf(month)) })),
    curve: (ask.curve ?? []).map(({ time, hours, share }) => ({ time, hours, ...brief(at, share) })),
    sensitivity: sensitivities(peak, choices, ask, cost),
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
  return ask.demands.flatMap((demand) =>
    choices
      .filter(({ limit }) => limit.scenario === demand.scenario)
      .map((choice) => ({
        scenario: demand.scenario,
        hostType: choice.limit.hostType,
        fleet: fleetOfOne(demand, choice, ask),
      })),
  );
}

/** What a small change is worth, without rounding to whole hosts: the slope, and not the next step. */
interface Sensitivity {
  readonly change: string;
  /** Hosts that are not needed then, of those at the busiest moment. */
  readonly fewerHosts: number;
  /** Absent without prices. */
  readonly savedPerMonth?: number;
}

/**
 * One percent of what binds a host is one percent more per host; of what does not bind, nothing. Hosts are priced as
 * they are at the busiest moment, times the share of it that the month's bill is.
 */
function sensitivities(
  peak: Situation,
  choices: readonly HostChoice[],
  ask: CapacityAsk,
  month: { readonly hosts: number; readonly egressGb: number | null } | null,
): Sensitivity[] {
  const bound = boundHosts(peak, choices, ask);
  const boundBy = (resource: Usable['binds']) =>
    bound.filter(({ binds }) => binds === resource).reduce((sum, { hosts }) => sum + hosts, 0);
  const [ofLimit, ofLink] = [boundBy('measured limit'), boundBy('link')];
  const more = 1 - 1 / 1.01;
  const free = 1 - ask.headroom;
  const saved = (hosts: number, traffic = 0) =>
    month ? { savedPerMonth: (peak.hosts === 0 ? 0 : (month.hosts * hosts) / peak.hosts) + traffic } : {};
  const row = (change: string, hosts: number, traffic = 0): Sensitivity => ({
    change,
    fewerHosts: hosts,
    ...saved(hosts, traffic),
  });
  return [
    row('1 % more per host (its measured limit)', ofLimit * more),
    row('1 % less bit rate', ofLink * more, egressSaved(ask, month?.egressGb ?? null)),
    ...(ask.headroom >= 0.01
      ? [row('head-room smaller by 1 point', (ofLimit + ofLink) * (1 - free / (free + 0.01)))]
      : []),
  ];
}

interface Bound {
  readonly binds: Usable['binds'];
  readonly hosts: number;
}

/** What binds the hosts that are needed while nothing fails. Scenarios that share hosts have each its part of them. */
function boundHosts(
  { places }: Situation,
  choices: readonly HostChoice[],
  { demands, together }: CapacityAsk,
): Bound[] {
  return places.flatMap(({ units, fleets }) =>
    fleets.flatMap(({ counts }, index) =>
      counts.flatMap(({ hostType, needed }) => {
        const own = demands.flatMap(({ scenario }, nth) => {
          const choice = choices.find(({ limit }) => limit.scenario === scenario && limit.hostType === hostType);
          return choice && (together || nth === index) ? [{ choice, load: (units[nth] ?? 0) / choice.sure.units }] : [];
        });
        const loads = own.reduce((sum, { load }) => sum + load, 0);
        return own.map(({ choice, load }) => ({ binds: choice.sure.binds, hosts: (needed * load) / loads }));
      }),
    ),
  );
}

function egressSaved({ prices }: CapacityAsk, egressGb: number | null): number {
  if (!prices?.egress || egressGb === null) return 0;
  const steps = stepsOf(prices.egress);
  return tieredCost(egressGb, steps) - tieredCost(0.99 * egressGb, steps);
}
