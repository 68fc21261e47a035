import type { FleetPlacement } from '../../model/placement.js';
import { blockingShare, fewestFrom, poissonAbove } from './erlang.js';

/** Sessions come one by one and independently (Poisson), and are placed on hosts that are all alike. */
interface PlacedLoad {
  /** Of all hosts together. */
  readonly loadErlangs: number;
  readonly hosts: number;
  /** Of each host. */
  readonly places: number;
}

/**
 * The share of sessions that is placed on a full host and turned away. Hosts that are found empty first are one pool
 * (Erlang B); so is each host for itself where chance alone places.
 */
export function turnedAwayShare(placement: FleetPlacement, load: PlacedLoad): number {
  const { loadErlangs, hosts, places } = load;
  if (hosts === 0) return 1;
  if (hosts === 1 || placement === 'least-loaded') return blockingShare(loadErlangs, hosts * places);
  if (placement === 'hash') return blockingShare(loadErlangs / hosts, places);
  return placement === 'round-robin' ? inTurns(load) : bestOfTwoRefused(load);
}

/**
 * Where no host refuses: of hosts, the share with more than their places, in the mean over time; of the least loaded,
 * the share of time in which all together have more. Of round robin, which is more even than chance, the bound that
 * chance is.
 */
export function overloadedShare(placement: FleetPlacement, load: PlacedLoad): number {
  const { loadErlangs, hosts, places } = load;
  if (hosts === 0) return 1;
  if (hosts === 1 || placement === 'least-loaded') return poissonAbove(hosts * places, loadErlangs);
  return placement === 'best-of-two' ? bestOfTwoOverloaded(load) : poissonAbove(places, loadErlangs / hosts);
}

/**
 * Round robin: each host gets each n-th session, and with it the sum of n gaps between them. The loss of such a host is
 * exact where stays are exponential (GI/M/c/c; L. Takács, 1957), in a sum whose terms are all above zero.
 */
function inTurns({ loadErlangs, hosts, places }: PlacedLoad): number {
  let [sum, term] = [1, 1];
  for (let one = 1; one <= places && sum < Number.POSITIVE_INFINITY; one += 1) {
    term *= (Math.expm1(hosts * Math.log1p(one / loadErlangs)) * (places - one + 1)) / one;
    sum += term;
  }
  return 1 / sum;
}

/**
 * How hosts are filled where each session goes to the emptier of two that are drawn. It is the share of hosts with at
 * least `level` sessions, when each has `mean` of them on average and none takes more than `top`. The fixed point for
 * many hosts (N. D. Vvedenskaya and others, 1996; S. R. E. Turner, 1998): λ(s²ₖ₋₁ − s²ₖ) = k(sₖ − sₖ₊₁).
 */
function sharesFrom(level: number, top: number, mean: number): number {
  if (mean <= 0) return 0;
  if (mean >= top) return 1;
  let [low, high] = [-700, 0];
  let found = 0;
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    const { total, at } = filled(level, top, mean, Math.exp(middle));
    found = at;
    if (total > mean) high = middle;
    else low = middle;
  }
  return Math.min(1, found);
}

/** Downwards from the share of full hosts; below a level that all hosts reach, all do. */
function filled(
  level: number,
  top: number,
  mean: number,
  full: number,
): { readonly total: number; readonly at: number } {
  const rate = mean / (1 - full * full);
  let [above, here, total] = [0, full, full];
  let at = level === top ? full : 1;
  for (let reached = top; reached > 1; reached -= 1) {
    const below = Math.sqrt(here * here + (reached * (here - above)) / rate);
    if (below > 1 - 1e-12) return { total: total + reached - 1, at };
    [above, here] = [here, below];
    total += here;
    if (reached - 1 === level) at = here;
  }
  return { total, at };
}

/** Both hosts that are drawn are full. Averaged over how many are there in all, which the fixed point leaves out. */
function bestOfTwoRefused({ loadErlangs, hosts, places }: PlacedLoad): number {
  const refused = (there: number) => {
    const full = sharesFrom(places, places, there / hosts);
    return (full * Math.max(0, hosts * full - 1)) / (hosts - 1);
  };
  return meanOverTime({ load: loadErlangs, most: hosts * places, value: refused, refused });
}

/** So many more levels above the places that no host reaches them in practice: each has the square of the one below. */
const levelsAbove = 6;

function bestOfTwoOverloaded({ loadErlangs, hosts, places }: PlacedLoad): number {
  const value = (there: number) => sharesFrom(places + 1, places + levelsAbove, there / hosts);
  return meanOverTime({ load: loadErlangs, most: Number.POSITIVE_INFINITY, value, refused: () => 0 });
}

interface OverTime {
  readonly load: number;
  readonly most: number;
  readonly value: (there: number) => number;
  /** The share of those who come that is refused; rises with how many are there. */
  readonly refused: (there: number) => number;
}

/** In standard deviations of how many are there: beyond, nothing is seen. */
const spread = 8;

/** Over how many are there, when who comes is refused with a chance that depends on it (a birth and death process). */
function meanOverTime({ load, most, value, refused }: OverTime): number {
  const usual = fewestFrom(0, Math.min(load, most), (there) => load * (1 - refused(there)) <= there);
  const around = spread * Math.sqrt(load) + spread;
  const [from, to] = [Math.max(0, Math.floor(usual - around)), Math.min(most, Math.ceil(usual + around))];
  const [valueAt, refusedAt] = [interpolated(from, to, value), interpolated(from, to, refused)];
  let [weight, total, weighed] = [1, 0, 0];
  for (let there = from; there <= to; there += 1) {
    if (there > from) weight *= (load * (1 - refusedAt(there - 1))) / there;
    // Far above what they hold each is many times as likely as the one before.
    if (weight > 1e100) [weight, total, weighed] = [1, total / weight, weighed / weight];
    total += weight;
    weighed += weight * valueAt(there);
  }
  return weighed / total;
}

const points = 32;

/** In a straight line between points that were computed, each when it is asked for first. */
function interpolated(from: number, to: number, of: (there: number) => number): (there: number) => number {
  const step = Math.max(1, Math.ceil((to - from) / points));
  const known = new Map<number, number>();
  const at = (place: number) => {
    const value = known.get(place) ?? of(place);
    known.set(place, value);
    return value;
  };
  return (there) => {
    const left = there - ((there - from) % step);
    const right = Math.min(to, left + step);
    const share = right === left ? 0 : (there - left) / (right - left);
    return at(left) * (1 - share) + at(right) * share;
  };
}
