import { changesOf, linksAt, type Network } from '../../model/network.js';
import { hasRateOfChance } from './link-model.js';

/** True where no bitrate is judged: of those on this network it says nothing of the server. */
export function leavesRateToChance(network: Network): boolean {
  return [-1, ...changesOf(network)]
    .map((atMs) => linksAt(network, atMs))
    .some(({ up, down }) => hasRateOfChance(up) || hasRateOfChance(down));
}
