import type { Network } from '../model/network.js';
import type { Scenario } from '../model/scenario.js';
import { broadcast } from './broadcast.js';
import { group, sfuGroup } from './group.js';
import { onNetworks } from './on-networks.js';
import { oneToOne } from './one-to-one.js';

/** Members of a room unless the plan says otherwise, as in the classic sizing study. */
const usualRoomSize = 4;

export const scenarios: readonly Scenario[] = [oneToOne, group(usualRoomSize), broadcast, sfuGroup(usualRoomSize)];

/** Those whose sessions have as many members as one likes. */
const withRooms: ReadonlyMap<string, (roomSize: number) => Scenario> = new Map([
  ['group', group],
  ['sfu-group', sfuGroup],
]);

export function hasRooms(name: string): boolean {
  return withRooms.has(name);
}

/** The scenario of a plan; `undefined` when there is none of that name. */
export function scenarioOf(plan: {
  readonly scenario: string;
  readonly roomSize?: number | undefined;
  readonly networks?: readonly Network[] | undefined;
  readonly absoluteLimits?: boolean | undefined;
}): Scenario | undefined {
  const room = plan.roomSize === undefined ? undefined : withRooms.get(plan.scenario);
  const found =
    room && plan.roomSize !== undefined ? room(plan.roomSize) : scenarios.find(({ name }) => name === plan.scenario);
  return found && onNetworks(found, plan.networks, { oneBaseline: plan.absoluteLimits === true });
}
