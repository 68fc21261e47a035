import { type Coming, eachSession, type Scenario, type Session } from '../model/scenario.js';

/** The scenario with sending connections alone, for servers that have no others without media. */
export function sendingAlone(scenario: Scenario): Scenario {
  const { coming, ...changed } = eachSession(scenario, withSendingLegs);
  return coming ? { ...changed, coming: withoutMeeting(coming) } : changed;
}

function withoutMeeting({ unit, who, sessions }: Coming): Coming {
  return { unit, who, sessions };
}

function withSendingLegs(session: Session): Session {
  const participants = session.participants.map((one) => ({
    ...one,
    legs: one.legs.filter(({ sends }) => sends.length > 0).map(({ id, sends }) => ({ id, sends, receives: [] })),
  }));
  return { ...session, participants };
}
