import type { ExpectedStream } from '../../model/expected-streams.js';

/** What is of one leg, by its id, each in the order of the streams. */
export function byLeg<T extends { readonly stream: ExpectedStream }>(
  streams: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const legs = new Map<string, T[]>();
  for (const one of streams) {
    const known = legs.get(one.stream.leg.id);
    if (known) known.push(one);
    else legs.set(one.stream.leg.id, [one]);
  }
  return legs;
}
