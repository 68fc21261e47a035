import { type CapacityAsk, withSpare } from './ask.js';
import { type HostChoice, type HostFleet, pricedHosts } from './fleet.js';
import type { Usable } from './usable.js';

/** A demand, and what one host is given of it when it carries nothing else. */
interface Part {
  readonly units: number;
  readonly perHost: number;
}

/**
 * The fewest hosts of one kind that carry several scenarios at once, each host the same share of all: n such that what
 * the fullest host gets, ⌈units ÷ n⌉ of each, uses up no more than one host. It takes for granted that loads add up:
 * half of one limit and half of another are one full host. `null` where even one session of each is too much for one
 * host.
 */
export function sharedHosts(parts: readonly Part[]): number | null {
  const own = parts.filter(({ units }) => units > 0);
  if (own.length === 0) return 0;
  const fits = (hosts: number) =>
    own.reduce((sum, { units, perHost }) => sum + Math.ceil(units / hosts) / perHost, 0) <= 1 + 1e-9;
  let high = Math.max(...own.map(({ units }) => units));
  if (own.some(({ perHost }) => perHost < 1) || !fits(high)) return null;
  let low = 0;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The hosts of one kind for all demands together; `choices` are of that kind, in the order of `units`. */
export function sharedFleet(
  units: readonly number[],
  choices: readonly HostChoice[],
  { spare }: CapacityAsk,
): HostFleet | null {
  const [first] = choices;
  const hostsBy = (usable: (choice: HostChoice) => Usable | null) => {
    const parts = choices.map((choice, index) => ({ units: units[index] ?? 0, perHost: usable(choice)?.units ?? 0 }));
    return choices.some((choice) => usable(choice) === null) ? null : sharedHosts(parts);
  };
  const needed = hostsBy(({ sure }) => sure);
  if (needed === null || !first) return null;
  const best = hostsBy(({ possible }) => possible);
  const fewest = best === null ? null : withSpare(best, spare);
  const hosts = withSpare(needed, spare);
  const counts = hosts === 0 ? [] : [{ hostType: first.limit.hostType, needed, hosts }];
  return { counts, hosts, fewest, feeds: 0, ...pricedHosts(hosts, fewest, first.perHour) };
}
