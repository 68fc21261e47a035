import { type Load, loads } from '../model/load.js';
import type { Network } from '../model/network.js';
import type { Media } from '../model/plan.js';
import { type Players, sentinelsBeside } from '../model/players.js';
import { eachSession, type Panel, type Scenario, type Session } from '../model/scenario.js';
import type { Subscribing } from '../model/subscribing.js';
import { usualPanel, usualRoomSize } from '../model/usual-members.js';
import { agentRoom, askAgent, withPause } from './agent-room.js';
import { audioRoom, sfuAudioRoom } from './audio-room.js';
import { broadcast } from './broadcast.js';
import { group, sfuGroup } from './group.js';
import { onConnections } from './on-connections.js';
import { onNetworks } from './on-networks.js';
import { oneToOne } from './one-to-one.js';
import { sentinelSessions } from './sentinels.js';
import { visit } from './visit.js';
import { voiceAgent } from './voice-agent.js';
import { webinar } from './webinar.js';
import { withData } from './with-data.js';
import { withLayers } from './with-layers.js';
import { withScreen } from './with-screen.js';
import { withStates } from './with-states.js';

export const scenarios: readonly Scenario[] = [
  oneToOne,
  group(usualRoomSize),
  broadcast,
  sfuGroup(usualRoomSize),
  audioRoom(usualRoomSize),
  sfuAudioRoom(usualRoomSize),
  voiceAgent,
  agentRoom,
  askAgent,
  visit(usualRoomSize),
  webinar(usualPanel),
];

type SentinelPlan = Pick<Parameters<typeof scenarioOf>[0], 'scenario' | 'roomSize' | 'panel' | 'subscribe' | 'players'>;

/** The scenario of a plan; `undefined` when there is none of that name. */
export function scenarioOf(plan: {
  readonly scenario: string;
  readonly roomSize?: number | undefined;
  readonly panel?: Panel | undefined;
  readonly subscribe?: Subscribing | undefined;
  readonly media?: Media | undefined;
  /** Absent: browsers. */
  readonly players?: Players | undefined;
  readonly networks?: readonly Network[] | undefined;
  readonly absoluteLimits?: boolean | undefined;
  /** Absent: sessions that are there. */
  readonly load?: Load | undefined;
  readonly timing?: { readonly measureMs: number };
}): Scenario | undefined {
  const usual = scenarios.find(({ name }) => name === plan.scenario);
  const seated = plan.panel === undefined ? usual : (usual?.ofPanel?.(plan.panel) ?? usual);
  const sized = plan.roomSize === undefined ? seated : (seated?.ofMembers?.(plan.roomSize) ?? seated);
  const { players = { kind: 'full' }, load = { by: 'sessions' } } = plan;
  const found = players.kind === 'visiting' ? (sized?.ofVisit?.(players) ?? sized) : sized;
  const connected = found && onConnections(withScreen(found, plan.media), plan.subscribe);
  const joined =
    connected && (players.kind === 'signalling' && players.legs === 'sending' ? sendingAlone(connected) : connected);
  const stated = joined && withData(withStates(joined, plan.media), plan.media);
  const layered = stated && withPause(withLayers(stated, plan.media), plan.media);
  const laidOut = layered && onNetworks(layered, plan.networks, { oneBaseline: plan.absoluteLimits === true });
  return laidOut && (loads[load.by].sized?.(load, laidOut, plan.timing?.measureMs ?? 0, sentinelsOf(plan)) ?? laidOut);
}

/** The sessions of a plan in which probes with media stay; they join all their connections. */
export function sentinelsOf({ scenario, roomSize, panel, subscribe, players }: SentinelPlan): readonly Session[] {
  const count = players ? sentinelsBeside(players) : 0;
  const whole = count === 0 ? undefined : scenarioOf({ scenario, roomSize, panel, subscribe });
  return whole ? sentinelSessions(whole, count) : [];
}

/** The scenario with sending connections alone, for servers that have no others without media. */
function sendingAlone(scenario: Scenario): Scenario {
  const { coming, ...changed } = eachSession(scenario, withSendingLegs);
  if (!coming) return changed;
  const { meets: _, ...alone } = coming;
  return { ...changed, coming: alone };
}

function withSendingLegs(session: Session): Session {
  const participants = session.participants.map((one) => ({
    ...one,
    legs: one.legs.filter(({ sends }) => sends.length > 0).map(({ id, sends }) => ({ id, sends, receives: [] })),
  }));
  return { ...session, participants };
}
