import { linksAt, type Network } from '../../model/network.js';
import { hasRateOfChance } from './link-model.js';
import { timesOf } from './link-path.js';

/** True where no bitrate is judged: of those on this network it says nothing of the server. */
export function leavesRateToChance(network: Network): boolean {
  return timesOf(network)
    .map((atMs) => linksAt(network, atMs))
    .some(({ up, down }) => hasRateOfChance(up) || hasRateOfChance(down));
}
