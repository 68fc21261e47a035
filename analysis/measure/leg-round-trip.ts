import type { Aggregates } from '../../model/aggregate.js';
import { highest } from '../statistics/statistics.js';

/** Mean round trip of a leg by its streams: the longer of what its candidate pair and the media reports say. */
export function legRoundTripMs(leg: readonly { readonly values: Aggregates }[]): number | undefined {
  return highest(leg.flatMap(({ values: { legRttMs, rttMs } }) => [legRttMs ?? [], rttMs ?? []].flat()));
}
