/**
 * How many places random arrivals need, when sessions come one by one and independently (Poisson): A. K. Erlang, 1917.
 * The load is in erlangs: arrivals per hour × mean length in hours, which is how many would go on at once if nobody
 * were turned away.
 */

export type AtFullHouse = 'turned-away' | 'waits';

/** Above this the recursion takes seconds, and random arrivals are within 0.1 % of their mean. */
export const largestLoadErlangs = 5_000_000;

/**
 * Erlang B: the share of calls that find all places taken, where who finds none goes away. How stays are spread does
 * not matter. By the recursion over places, which neither overflows nor loses figures as factorials do.
 */
export function blockingShare(loadErlangs: number, places: number): number {
  let blocked = 1;
  for (let place = 1; place <= places; place += 1) blocked = nextBlocked(blocked, place, loadErlangs);
  return blocked;
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
  let places = 0;
  let blocked = 1;
  const found = () => (atFullHouse === 'waits' ? waitingOf(blocked, places, loadErlangs) : blocked);
  while (found() > mostShare) {
    places += 1;
    blocked = nextBlocked(blocked, places, loadErlangs);
  }
  return places;
}

/** B(n) = a·B(n − 1) / (n + a·B(n − 1)). */
function nextBlocked(before: number, places: number, loadErlangs: number): number {
  return (loadErlangs * before) / (places + loadErlangs * before);
}

/** Of places that are no more than the load the queue only grows, and everybody waits. */
function waitingOf(blocked: number, places: number, loadErlangs: number): number {
  if (places <= loadErlangs) return 1;
  return blocked / (1 - (loadErlangs / places) * (1 - blocked));
}
