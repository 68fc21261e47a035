import type { CapacityAsk } from './ask.js';
import { type Cover, cheapestCovers, type HostOption } from './cheapest-cover.js';
import { type HostChoice, type HostCount, type HostFleet, noFleet, totalOf } from './fleet.js';

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
export function mixedFleets(
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
