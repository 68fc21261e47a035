import type { Crowd, HostileRow, HostileServer } from './hostile-server.js';
import { drawServer, passProbability } from './simulated-server.js';

type Random = () => number;

/** Calls. */
const probesPerUnit = 2;
const capacities = [1000, 4000] as const;

/**
 * Whom something befalls. Apart from the load it is so many of the participants, at any size or more with a larger one.
 * An overload befalls the more of them the larger it is.
 */
function crowd(even: number, rateAt: (size: number) => number): Crowd {
  return (size, isOverloaded, random) => {
    const of = probesPerUnit * size;
    const apart = drawn(of * rateAt(size), random);
    if (!isOverloaded) return { by: apart, of, apart };
    const perOverload = 0.1 * 40 ** random();
    const share = Math.min(1, Math.max(0, size / even - 1) * perOverload);
    const by = Math.min(of, Math.max(1, Math.round(of * share)) + apart);
    return { by, of, apart: Math.min(by, size) };
  };
}

/** Of a server with so many calls of capacity, and this rate. */
function withRate(rate: number, limits: readonly [number, number] = capacities) {
  return (random: Random): HostileServer => {
    const server = drawServer(random, { capacities: limits, widestPercent: 10, evenChance: 'middle' });
    const chance = (size: number) => passProbability(server, size);
    return { chance, truth: chance, crowd: crowd(server.evenChanceAt, () => rate) };
  };
}

/** Nobody is overloaded; more and more notice something. Truly stable is what nobody notices in 80 % of the trials. */
function rising(power: number) {
  return (random: Random): HostileServer => {
    const [least, most] = capacities;
    const capacity = least + random() * (most - least);
    // At the capacity a fifth of the trials is noticed by somebody.
    const rateAt = (size: number) => (0.223 / (probesPerUnit * capacity)) * (size / capacity) ** power;
    const truth = (size: number) => Math.exp(-probesPerUnit * size * rateAt(size));
    return { chance: () => 1, truth, crowd: crowd(Number.POSITIVE_INFINITY, rateAt) };
  };
}

const row = (name: string, draw: (random: Random) => HostileServer): HostileRow => ({
  name,
  draw,
  servers: 300,
  drifts: false,
  max: 8192,
});

/** Large crowds, of whom somebody always notices something. */
export const crowdRows: readonly HostileRow[] = [
  row('nobody apart from the load', withRate(0)),
  ...[0.01, 0.05, 0.1, 0.2].map((percent) => row(`${percent} % of participants`, withRate(percent / 100))),
  row('counted, 20 to 500 calls', withRate(0, [20, 500])),
  row('0.1 %, 20 to 500 calls', withRate(0.001, [20, 500])),
  row('a rate that rises as size', rising(1)),
  row('a rate that rises as the 4th power', rising(4)),
  row('a rate that rises as the 10th power', rising(10)),
];

/** Poisson's, by counting arrivals. */
function drawn(expected: number, random: Random): number {
  let count = 0;
  let left = expected;
  for (;;) {
    left += Math.log(1 - random());
    if (left < 0) return count;
    count += 1;
  }
}
