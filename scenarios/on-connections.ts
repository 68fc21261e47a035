import {
  eachSession,
  type Leg,
  type LegSource,
  type Participant,
  receivedStreams,
  type Scenario,
  type Session,
} from '../model/scenario.js';
import type { Subscribing } from '../model/subscribing.js';

/**
 * The same scenario on a media server that takes what a participant sends on one connection and gives what it receives
 * on others: one for each source, or one for all of them; or that does all of it on one. Whose media goes where stays
 * as it is, and so do sessions that are mixed.
 */
export function onConnections(scenario: Scenario, subscribing: Subscribing | undefined): Scenario {
  if (subscribing === undefined) return scenario;
  const apart = (session: Session): Session =>
    session.shape !== 'forward'
      ? session
      : { ...session, participants: session.participants.map((one) => withLegs(one, subscribing)) };
  const summary = `${scenario.summary}${hasSeveralSources(scenario) ? how[subscribing] : ''}`;
  return { ...eachSession(scenario, apart), summary };
}

const how: Readonly<Record<Subscribing, string>> = {
  one: ', all over one connection',
  each: ', each over one of its own',
  same: ', all over the connection that it sends on',
};

function hasSeveralSources({ sessions, baselineSize }: Scenario): boolean {
  const members = sessions(baselineSize).flatMap(({ participants }) => participants);
  return members.some(({ legs }) => legs.flatMap(sourcesWithKinds).length > 1);
}

function withLegs(participant: Participant, subscribing: Subscribing): Participant {
  const sending = participant.legs
    .filter(({ sends }) => sends.length > 0)
    .map(({ id, sends, screen }): Leg => ({ id, sends, receives: [], ...(screen ? { screen } : {}) }));
  const sources = participant.legs.flatMap(sourcesWithKinds);
  if (subscribing === 'same') return { ...participant, legs: bothWays(participant, sources) };
  const free = sending.length === 0 ? participant.id : undefined;
  const receiving =
    subscribing === 'each' || sources.length < 2
      ? eachApart(participant.id, sources, free)
      : [all(participant.id, sources, free)];
  return { ...participant, legs: [...sending, ...receiving] };
}

function bothWays({ id, legs }: Participant, sources: readonly LegSource[]): readonly Leg[] {
  const sends = [...new Set(legs.flatMap((leg) => leg.sends))];
  const [receiving] = sources.length < 2 ? eachApart(id, sources, id) : [all(id, sources, id)];
  const screen = legs.some((leg) => leg.screen) ? { screen: true as const } : {};
  return [{ ...(receiving ?? { id, receives: [] }), sends, ...screen }];
}

/** The only receiving connection of somebody who does not send has the participant's own name. */
function eachApart(id: string, sources: readonly LegSource[], free: string | undefined): readonly Leg[] {
  return sources.map(({ kinds, ...source }) => ({
    id: sources.length === 1 && free !== undefined ? free : `${id}:from-${source.stream ?? source.participant}`,
    sends: [],
    receives: kinds,
    from: 'stream' in source ? [{ ...source, kinds }] : source,
  }));
}

function all(id: string, sources: readonly LegSource[], free: string | undefined): Leg {
  const receives = (['audio', 'video'] as const).filter((kind) => sources.some(({ kinds }) => kinds.includes(kind)));
  return { id: free ?? `${id}:from-all`, sends: [], receives, from: sources };
}

function sourcesWithKinds(leg: Leg): readonly LegSource[] {
  const { from } = leg;
  if (from === undefined) return [];
  if ('map' in from) return from;
  return 'mix' in from ? [] : [{ ...from, kinds: receivedStreams(leg).map(({ kind }) => kind) }];
}
