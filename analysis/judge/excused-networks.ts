import type { Network } from '../../model/network.js';
import type { Plan } from '../../model/plan.js';

/** The networks whose own loss and delay limits are counted from: all of the plan, unless it wants them as they are written. */
export function excusedNetworks({ networks, absoluteLimits }: Plan): readonly Network[] | undefined {
  return absoluteLimits === true ? undefined : networks;
}
