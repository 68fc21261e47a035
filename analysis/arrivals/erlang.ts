/**
 * Erlang B: the share of calls that find all places taken, where `offered` calls would be there at a time if there were always
 * room (arrivals per second by seconds of stay), they come by chance, and who finds none goes away. How stays are spread does not matter.
 * By the recursion over places, which neither overflows nor loses figures as factorials do.
 */
export function blockingShare(offered: number, places: number): number {
  let blocked = 1;
  for (let place = 1; place <= places; place += 1) blocked = (offered * blocked) / (place + offered * blocked);
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
