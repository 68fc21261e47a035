import type { ArrivalsPlan } from '../model/arrivals.js';
import type { Network } from '../model/network.js';
import type { Scenario, Session } from '../model/scenario.js';
import type { Subscribing } from '../model/subscribing.js';
import type { VisitPlan } from '../model/visit.js';
import { audioRoom } from './audio-room.js';
import { broadcast } from './broadcast.js';
import { byArrivals } from './by-arrivals.js';
import { group, sfuGroup } from './group.js';
import { onConnections } from './on-connections.js';
import { onNetworks } from './on-networks.js';
import { oneToOne } from './one-to-one.js';
import { sendingAlone } from './sending-alone.js';
import { sentinelSessions } from './sentinels.js';
import { visit } from './visit.js';

/** Members of a room unless the plan says otherwise, as in the classic sizing study. */
const usualRoomSize = 4;

export const scenarios: readonly Scenario[] = [
  oneToOne,
  group(usualRoomSize),
  broadcast,
  sfuGroup(usualRoomSize),
  audioRoom(usualRoomSize),
  visit(usualRoomSize),
];

type SentinelPlan = Pick<Parameters<typeof scenarioOf>[0], 'scenario' | 'roomSize' | 'subscribe' | 'sentinels'>;

/** The scenario of a plan; `undefined` when there is none of that name. */
export function scenarioOf(plan: {
  readonly scenario: string;
  readonly roomSize?: number | undefined;
  readonly subscribe?: Subscribing | undefined;
  readonly visit?: VisitPlan | undefined;
  readonly networks?: readonly Network[] | undefined;
  readonly absoluteLimits?: boolean | undefined;
  readonly arrivals?: ArrivalsPlan | undefined;
  readonly legs?: 'sending' | undefined;
  readonly sentinels?: number | undefined;
  readonly timing?: { readonly measureMs: number };
}): Scenario | undefined {
  const usual = scenarios.find(({ name }) => name === plan.scenario);
  const sized = plan.roomSize === undefined ? usual : (usual?.ofMembers?.(plan.roomSize) ?? usual);
  const found = plan.visit === undefined ? sized : (sized?.ofVisit?.(plan.visit) ?? sized);
  const connected = found && onConnections(found, plan.subscribe);
  const joined = connected && (plan.legs === 'sending' ? sendingAlone(connected) : connected);
  const laidOut = joined && onNetworks(joined, plan.networks, { oneBaseline: plan.absoluteLimits === true });
  return laidOut && byArrivals(laidOut, plan.arrivals, plan.timing?.measureMs ?? 0, sentinelsOf(plan));
}

/** The sessions of a plan in which probes with media stay; they join all their connections. */
export function sentinelsOf({ scenario, roomSize, subscribe, sentinels }: SentinelPlan): readonly Session[] {
  const whole = sentinels === undefined ? undefined : scenarioOf({ scenario, roomSize, subscribe });
  return whole && sentinels !== undefined ? sentinelSessions(whole, sentinels) : [];
}
