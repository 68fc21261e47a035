import { LoadlineError } from '../../model/errors.js';
import { type CapacityAsk, type Demand, isOnePool, unitsAtOnce } from './ask.js';
import { type Cover, cheapestCovers, type HostOption } from './cheapest-cover.js';
import {
  better,
  choicesOf,
  fleetOfOne,
  type HostChoice,
  type HostCount,
  type HostFleet,
  noFleet,
  totalOf,
  type Wanted,
} from './fleet.js';
import type { HostLimit } from './host-limit.js';
import { sharedFleet } from './shared-fleet.js';

interface RegionHosts {
  readonly region: string;
  /** In the order of the demands. */
  readonly wanted: readonly Wanted[];
  readonly units: readonly number[];
  /** One for each demand, or one for all of them together. */
  readonly fleets: readonly HostFleet[];
}

export interface Situation {
  readonly places: readonly RegionHosts[];
  readonly units: readonly number[];
  readonly hosts: number;
  readonly fewest: number | null;
  readonly perHour?: number;
  readonly fewestPerHour?: number | null;
  readonly feeds: readonly number[];
}

/** Hosts for any share of the demand; 1 is the busiest moment. */
export type SituationAt = (factor: number) => Situation;

/** `mostFactor` is the largest share that will be asked for. Throws E_USAGE where no measured host carries a demand. */
export function situations(limits: readonly HostLimit[], ask: CapacityAsk, mostFactor: number): SituationAt {
  const planner = ask.together ? plannerTogether(limits, ask) : plannerApart(limits, ask, mostFactor);
  const regions = ask.regions.length === 0 ? [{ name: '', share: 1 }] : ask.regions;
  return (factor) => {
    const places = regions.map(({ name, share }): RegionHosts => {
      const wanted = ask.demands.map((demand) => wantedOf(demand, factor * share));
      return { region: name, wanted, units: wanted.map(({ units }) => units), fleets: planner(wanted) };
    });
    const fleets = places.flatMap((place) => place.fleets);
    return {
      places,
      units: ask.demands.map((_, index) => total(places.map(({ units }) => units[index] ?? 0))),
      hosts: total(fleets.map(({ hosts }) => hosts)),
      fewest: knownTotal(fleets.map(({ fewest }) => fewest)),
      feeds: ask.demands.map((_, index) => total(places.map((place) => place.fleets[index]?.feeds ?? 0))),
      ...(ask.prices
        ? {
            perHour: total(fleets.map(({ perHour }) => perHour ?? 0)),
            fewestPerHour: knownTotal(fleets.map(({ fewestPerHour = 0 }) => fewestPerHour)),
          }
        : {}),
    };
  };
}

/** A share of a load by chance needs more than that share of its places: the fewer come, the more chance matters. */
function wantedOf({ units, byChance }: Demand, share: number): Wanted {
  // Shares of whole numbers are a hair off them.
  if (!byChance) return { units: Math.ceil(units * share - 1e-9) };
  if (share === 0) return { units: 0 };
  const own = { ...byChance, loadErlangs: byChance.loadErlangs * share };
  return { units: share === 1 ? units : unitsAtOnce(own), byChance: own };
}

type Planner = (wanted: readonly Wanted[]) => readonly HostFleet[];

function plannerApart(limits: readonly HostLimit[], ask: CapacityAsk, mostFactor: number): Planner {
  const planners = ask.demands.map(({ scenario, units, byChance }) => {
    const choices = choicesOf(
      limits.filter((limit) => limit.scenario === scenario),
      ask,
    ).filter(({ sure }) => sure.units > 0);
    if (choices.length === 0) throw tooLittle(scenario);
    // Of hosts that fill up each for itself no mix of kinds is computed.
    const mayMix = !byChance || isOnePool(byChance);
    const mixed = mayMix ? mixedOf(choices, ask, Math.ceil(units * mostFactor) + 1) : undefined;
    return plannerOf({ choices, mixed, scenario }, ask);
  });
  return (wanted) => planners.map((planner, index) => planner(wanted[index] ?? { units: 0 }));
}

function mixedOf(choices: readonly HostChoice[], ask: CapacityAsk, mostUnits: number) {
  const isCascade = choices.some(({ limit }) => limit.unit.countsParticipants);
  return isCascade ? undefined : mixedFleets(choices, ask, mostUnits);
}

interface Kinds {
  readonly choices: readonly HostChoice[];
  readonly mixed: ((units: number) => HostFleet) | undefined;
  readonly scenario: string;
}

/** Of every kind of host alone, and of the mix where that makes sense, the best. */
function plannerOf({ choices, mixed, scenario }: Kinds, ask: CapacityAsk) {
  return (wanted: Wanted): HostFleet => {
    if (wanted.units === 0) return noFleet;
    const alone = choices.flatMap((choice) => fleetOfOne(wanted, choice, ask) ?? []);
    const all = [...alone, ...(mixed ? [mixed(wanted.units)] : [])];
    const [first, ...rest] = all;
    if (!first) throw tooLittle(scenario);
    return rest.reduce(better, first);
  };
}

function plannerTogether(limits: readonly HostLimit[], ask: CapacityAsk): Planner {
  const choices = choicesOf(limits, ask);
  const kinds = [...new Set(limits.map(({ hostType }) => hostType))].flatMap((hostType) => {
    const own = ask.demands.map(({ scenario }) =>
      choices.find(({ limit }) => limit.hostType === hostType && limit.scenario === scenario),
    );
    const known = own.flatMap((choice) => choice ?? []);
    return known.length === own.length ? [known] : [];
  });
  return (wanted) => {
    const units = wanted.map((one) => one.units);
    const [first, ...rest] = kinds.flatMap((own) => sharedFleet(units, own, ask) ?? []);
    if (!first) throw tooLittle('all scenarios together');
    return [rest.reduce(better, first)];
  };
}

function tooLittle(what: string): LoadlineError {
  return new LoadlineError('E_USAGE', `No kind of host that was measured can carry ${what} so.`, {
    where: '--for',
    why: 'with what is left free, and by what else is limited, one host carries too little of it',
    todo: 'ask for less head-room, name a larger --link or more --ports, or measure a larger host',
  });
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Nothing is known of a sum of which one part is not. */
function knownTotal(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

interface Priced extends HostOption {
  /** What it may hold at most; null where that is not known. */
  readonly possible: number | null;
}

/**
 * The cheapest mix of several kinds of host, with so many spare that any of them may fail: without the largest hosts
 * the rest still carries everything. Looks at each kind as the largest of the rest: then the spare ones are the
 * cheapest that are no smaller. `undefined` where a mix makes no sense: without prices, or where there is one kind
 * only.
 */
function mixedFleets(
  choices: readonly HostChoice[],
  { spare }: CapacityAsk,
  mostUnits: number,
): ((units: number) => HostFleet) | undefined {
  const options = choices.flatMap((choice) => pricedOf(choice));
  // Of zones only those are computed in which each has the same hosts, of one kind.
  if (options.length < 2 || options.length < choices.length || spare.kind === 'zone') return undefined;
  const spares = spare.kind === 'hosts' ? spare.hosts : 0;
  const plans = [...new Set(options.map(({ perHost }) => perHost))].map((largest) => {
    const smaller = options.filter(({ perHost }) => perHost <= largest);
    const stand = cheapest(options.filter(({ perHost }) => perHost >= largest));
    return { smaller, stand, covers: cheapestCovers(smaller, mostUnits) };
  });
  return (units) => {
    if (units === 0) return { ...noFleet, perHour: 0, fewestPerHour: 0 };
    const all = plans.map(({ smaller, stand, covers }) =>
      fleetOf(units, smaller, covers(units), { option: stand, hosts: spares }),
    );
    return all.reduce((a, b) => ((b.perHour ?? 0) < (a.perHour ?? 0) ? b : a));
  };
}

function pricedOf({ limit, sure, possible, perHour }: HostChoice): Priced[] {
  if (perHour === undefined || sure.units < 1) return [];
  return [{ hostType: limit.hostType, perHost: sure.units, perHour, possible: possible?.units ?? null }];
}

function cheapest(options: readonly Priced[]): Priced | undefined {
  return options.reduce<Priced | undefined>((a, b) => (a && a.perHour <= b.perHour ? a : b), undefined);
}

interface Spares {
  readonly option: HostOption | undefined;
  readonly hosts: number;
}

function fleetOf(units: number, options: readonly Priced[], cover: Cover, spares: Spares): HostFleet {
  const sparesOf = (hostType: string) => (spares.option?.hostType === hostType ? spares.hosts : 0);
  const used = options.map((option, index) => ({ option, needed: cover.counts[index] ?? 0 }));
  const extra = options.includes(spares.option as Priced) || spares.hosts === 0 ? [] : [spares.option];
  const counts: HostCount[] = [
    ...used.map(({ option: { hostType }, needed }) => ({ hostType, needed, hosts: needed + sparesOf(hostType) })),
    ...extra.flatMap((option) => (option ? [{ hostType: option.hostType, needed: 0, hosts: spares.hosts }] : [])),
  ].filter(({ hosts }) => hosts > 0);
  const away = taken(units, used);
  const perHour = cover.perHour + spares.hosts * (spares.option?.perHour ?? 0);
  const hosts = totalOf(counts);
  return {
    counts,
    hosts,
    fewest: away && hosts - away.hosts,
    perHour,
    fewestPerHour: away && perHour - away.perHour,
    feeds: 0,
  };
}

/** Those that cost most are taken away as long as the rest may carry everything; null where that is not known. */
function taken(units: number, used: readonly { readonly option: Priced; readonly needed: number }[]) {
  const own = used.filter(({ needed }) => needed > 0);
  if (own.some(({ option }) => option.possible === null)) return null;
  let surplus = own.reduce((sum, { option, needed }) => sum + (option.possible ?? 0) * needed, -units);
  let hosts = 0;
  let perHour = 0;
  for (const { option, needed } of [...own].sort((a, b) => b.option.perHour - a.option.perHour)) {
    const count = Math.min(needed, Math.floor(surplus / (option.possible ?? 1)));
    surplus -= count * (option.possible ?? 0);
    hosts += count;
    perHour += count * option.perHour;
  }
  return { hosts, perHour };
}
