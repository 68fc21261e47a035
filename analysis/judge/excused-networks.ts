import type { Network } from '../../model/network.js';
import type { Plan } from '../../model/plan.js';

/** Networks whose own loss and delay limits are counted from: all, unless the plan wants absolute limits. */
export function excusedNetworks({ networks, absoluteLimits }: Plan): readonly Network[] | undefined {
  return absoluteLimits === true ? undefined : networks;
}
