import { eachSession, type Scenario, type Session } from '../model/scenario.js';

/** The scenario with sending connections alone, for servers that have no others without media. */
export function sendingAlone(scenario: Scenario): Scenario {
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
