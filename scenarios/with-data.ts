import type { Media } from '../model/plan.js';
import { eachSession, type Leg, type Participant, type Scenario } from '../model/scenario.js';
import { eachLeg, withSources } from './each-leg.js';

/**
 * The same scenario with messages: senders of media send them on a data channel of the same connection. Receivers of
 * that media receive them. Without `data` the scenario stays as it is.
 */
export function withData(scenario: Scenario, media: Media | undefined): Scenario {
  const perSecond = media?.data?.perSecond;
  if (perSecond === undefined) return scenario;
  const changed = eachSession(scenario, (session) => {
    const sending = new Map(session.participants.map((one) => [one.id, sendingLeg(one)]));
    const data = (sends: unknown) => (sends ? { data: perSecond } : {});
    return eachLeg(session, (leg, own) => ({
      ...withSources(leg, ({ participant }) => data(sending.get(participant))),
      ...data(sending.get(own) === leg),
    }));
  });
  return { ...changed, summary: `${scenario.summary}; who sends media sends ${perSecond} messages a second, too` };
}

/** A screen has no messages: whose it is sends them. */
const sendingLeg = ({ legs }: Participant): Leg | undefined =>
  legs.find(({ sends, screen }) => sends.length > 0 && !screen);
