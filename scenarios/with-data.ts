import type { Media } from '../model/plan.js';
import {
  eachSession,
  type Leg,
  type LegSource,
  type MediaSource,
  type Participant,
  type Scenario,
} from '../model/scenario.js';

/**
 * The same scenario with messages: senders of media send them on a data channel of the same connection. Receivers of
 * that media receive them. Without `data` the scenario stays as it is.
 */
export function withData(scenario: Scenario, media: Media | undefined): Scenario {
  const perSecond = media?.data?.perSecond;
  if (perSecond === undefined) return scenario;
  const changed = eachSession(scenario, (session) => {
    const sending = new Map(session.participants.map((one) => [one.id, sendingLeg(one)]));
    const marked = <Source extends MediaSource | LegSource>(source: Source): Source =>
      'participant' in source && sending.get(source.participant) ? { ...source, data: perSecond } : source;
    const legOf = (leg: Leg, own: string): Leg => ({
      ...leg,
      ...(sending.get(own) === leg ? { data: perSecond } : {}),
      ...(leg.from ? { from: 'map' in leg.from ? leg.from.map(marked) : marked(leg.from) } : {}),
    });
    const participants = session.participants.map((one) => ({
      ...one,
      legs: one.legs.map((leg) => legOf(leg, one.id)),
    }));
    return { ...session, participants };
  });
  return { ...changed, summary: `${scenario.summary}; who sends media sends ${perSecond} messages a second, too` };
}

/** A screen has no messages: whose it is sends them. */
const sendingLeg = ({ legs }: Participant): Leg | undefined =>
  legs.find(({ sends, screen }) => sends.length > 0 && !screen);
