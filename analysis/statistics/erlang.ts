/**
 * How many places random arrivals need, when sessions come one by one and independently (Poisson): A. K. Erlang, 1917.
 * The load is in erlangs: arrivals per hour × mean length in hours, which is how many would go on at once if nobody
 * were turned away.
 */

type AtFullHouse = 'turned-away' | 'waits';

/** Above this the recursion takes seconds, and random arrivals are within 0.1 % of their mean. */
export const largestLoadErlangs = 5_000_000;

/**
 * Erlang B: the share of calls that find all places taken, where who finds none goes away. How stays are spread does
 * not matter. One over the sum of n·(n − 1)·…/aᵏ, whose terms are all above zero: no figures are lost, and those that
 * add nothing are left out.
 */
export function blockingShare(loadErlangs: number, places: number): number {
  return 1 / sumBelow(loadErlangs, places);
}

/** How likely fewer are than the places, in shares of how likely just as many are, plus 1. */
function sumBelow(load: number, places: number): number {
  let [sum, term] = [1, 1];
  for (let left = places; left > 0 && sum < Number.POSITIVE_INFINITY; left -= 1) {
    term *= left / load;
    sum += term;
    if (left < load && term < 1e-17 * sum) break;
  }
  return sum;
}

/**
 * The chance that more are there than this, where nobody is turned away (Poisson): both sides of the distribution as
 * shares of its value in the middle, so that nothing overflows or cancels out.
 */
export function poissonAbove(count: number, mean: number): number {
  if (count < 0) return 1;
  let [above, term] = [0, 1];
  for (let more = count + 1; above < Number.POSITIVE_INFINITY; more += 1) {
    term *= mean / more;
    above += term;
    if (more > mean && term <= 1e-17 * above) break;
  }
  return above === Number.POSITIVE_INFINITY ? 1 : above / (above + sumBelow(mean, count));
}

/** How many calls a second so many places take on, with calls of this length, when at most this share may find none. */
export function ratePerSecondAt(blocking: number, places: number, holdMs: number): number {
  let [low, high] = [0, 1];
  while (blockingShare(high, places) < blocking) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (blockingShare(middle, places) <= blocking) low = middle;
    else high = middle;
  }
  return low / (holdMs / 1000);
}

/** Share that finds all places taken: Erlang B where they then go away, Erlang C where they wait. */
export function shareFindingNone(places: number, loadErlangs: number, atFullHouse: AtFullHouse): number {
  const blocked = blockingShare(loadErlangs, places);
  return atFullHouse === 'waits' ? waitingOf(blocked, places, loadErlangs) : blocked;
}

/** The fewest places with which at most `mostShare` finds none free. */
export function placesFor(loadErlangs: number, mostShare: number, atFullHouse: AtFullHouse): number {
  return fewestFrom(0, loadErlangs, (places) => shareFindingNone(places, loadErlangs, atFullHouse) <= mostShare);
}

/** The least whole number from `from` on that will do, where all above it do, too; `guess`: where it may be. */
export function fewestFrom(from: number, guess: number, willDo: (count: number) => boolean): number {
  let low = from - 1;
  let high = Math.max(from, Math.ceil(guess));
  while (!willDo(high)) [low, high] = [high, 2 * high + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (willDo(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Of places that are no more than the load the queue only grows, and everybody waits. */
function waitingOf(blocked: number, places: number, loadErlangs: number): number {
  if (places <= loadErlangs) return 1;
  return blocked / (1 - (loadErlangs / places) * (1 - blocked));
}
