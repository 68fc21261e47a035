import { type FullHouse, hostsByChance, unitsAtOnce } from '../../analysis/capacity/ask.js';
import { type FleetPlacement, fleetPlacements } from '../../model/placement.js';
import { seededRandom } from '../../model/seeded-random.js';
import type { Covered } from './statement.js';

type Random = () => number;

interface Fleet {
  readonly loadErlangs: number;
  readonly hosts: number;
  readonly places: number;
}

/** Of a mean of 1. */
interface Stays {
  readonly name: string;
  readonly draw: (random: Random) => number;
}

const byChance: Stays = { name: 'by chance', draw: (random) => -Math.log(1 - random()) };
const alike: Stays = { name: 'all as long', draw: () => 1 };
/** Lognormal, its deviation twice its mean: many short ones, few very long. */
const uneven: Stays = {
  name: 'very unlike',
  draw: (random) => {
    const sigma = Math.sqrt(Math.log(5));
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(sigma * normal - sigma ** 2 / 2);
  },
};

/** What befalls sessions that come by chance: the share turned away, or of hosts with more than their places. */
function befalls(
  { placement, what }: Exclude<FullHouse, { what: 'waits' }>,
  fleet: Fleet,
  stays: Stays,
  arrivals: number,
): number {
  const { loadErlangs, hosts, places } = fleet;
  const random = seededRandom(11);
  const here = new Array<number>(hosts).fill(0);
  const leaving = new Leaving();
  const any = (most: number) => Math.floor(most * random());
  let [at, total, turn, seen, bad] = [0, 0, 0, 0, 0];
  const chosen = (): number => {
    if (placement === 'hash') return any(hosts);
    if (placement === 'round-robin') return turn++ % hosts;
    if (placement === 'least-loaded') return here.indexOf(Math.min(...here));
    const one = any(hosts);
    const other = hosts === 1 ? one : (one + 1 + any(hosts - 1)) % hosts;
    return (here[one] ?? 0) <= (here[other] ?? 0) ? one : other;
  };
  for (let nth = 0; nth < arrivals; nth += 1) {
    at -= Math.log(1 - random()) / loadErlangs;
    for (const host of leaving.until(at)) {
      here[host] = (here[host] ?? 0) - 1;
      total -= 1;
    }
    const host = chosen();
    const isFull = what === 'turned-away' && (here[host] ?? 0) >= places;
    // Who comes by chance sees the mean over time.
    const isOver = placement === 'least-loaded' ? total > hosts * places : (here[any(hosts)] ?? 0) > places;
    if (nth > arrivals / 5) {
      seen += 1;
      if (what === 'turned-away' ? isFull : isOver) bad += 1;
    }
    if (isFull) continue;
    here[host] = (here[host] ?? 0) + 1;
    total += 1;
    leaving.add(at + stays.draw(random), host);
  }
  return bad / seen;
}

/** Who leaves when, the first first. */
class Leaving {
  private readonly heap: { readonly at: number; readonly host: number }[] = [];

  add(at: number, host: number): void {
    const { heap } = this;
    let place = heap.push({ at, host }) - 1;
    for (let above = (place - 1) >> 1; place > 0 && this.at(above) > at; above = (place - 1) >> 1) {
      this.swap(place, above);
      place = above;
    }
  }

  *until(now: number): Iterable<number> {
    while (this.at(0) <= now) yield this.take();
  }

  private take(): number {
    const { heap } = this;
    const host = heap[0]?.host ?? 0;
    this.swap(0, heap.length - 1);
    heap.pop();
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const least = this.at(right) < this.at(left) ? right : left;
      if (this.at(least) >= this.at(place)) return host;
      this.swap(place, least);
      place = least;
    }
  }

  private at(place: number): number {
    return this.heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]];
    if (a && b) [this.heap[one], this.heap[other]] = [b, a];
  }
}

const demands = [
  [9, 5],
  [40, 17],
  [150, 17],
  [600, 17],
  [300, 60],
] as const;

/** Of the fleets told for 1 and for 5 %: in how many no more is turned away, or overloaded. A twentieth is noise. */
function fleets(what: 'turned-away' | 'overloaded', placement: FleetPlacement, arrivals: number): Covered {
  const told = [byChance, alike, uneven].map((stays) => {
    const shares = demands.flatMap(([loadErlangs, places]) =>
      [0.01, 0.05].map((share) => {
        const fullHouse = { share, what, placement } as const;
        const asked = { loadErlangs, fullHouse };
        const hosts = hostsByChance(asked, unitsAtOnce(asked), places);
        return befalls(fullHouse, { loadErlangs, hosts, places }, stays, arrivals) / share;
      }),
    );
    return { stays, most: Math.max(...shares), claims: shares.map((share) => share <= 1.05) };
  });
  const all = told.flatMap(({ claims }) => claims);
  const worst = told.reduce((most, one) => (one.most > most.most ? one : most));
  return {
    statement: `\`capacity\`: hosts for ${what === 'overloaded' ? '`--overloaded`' : '`--turned-away`'} of 1 and 5 %`,
    conditions: `${placement}; at most ${worst.most.toFixed(2)} of that, where stays are ${worst.stays.name}`,
    said: '100 %',
    held: all.filter(Boolean).length,
    of: all.length,
  };
}

export function ofFleets(arrivals: number): Covered[] {
  return (['turned-away', 'overloaded'] as const).flatMap((what) =>
    fleetPlacements.map((placement) => fleets(what, placement, arrivals)),
  );
}
