import type { Media } from '../model/plan.js';
import { eachSession, type Participant, type Scenario, type Session, sendPictures } from '../model/scenario.js';

/**
 * The same scenario with the screen of one in each session: of who presents, else of the first who shows a picture. It
 * comes on a connection of its own, as a member that sends slides alone, and all others receive it. Absent: as it is.
 */
export function withScreen(scenario: Scenario, media: Media | undefined): Scenario {
  if (media?.screen === undefined) return scenario;
  const shared = eachSession(scenario, sharing);
  return { ...shared, summary: `${scenario.summary}; one shares a screen` };
}

function sharing(session: Session): Session {
  const owner = ownerIn(session);
  if (!owner) return session;
  const id = `${session.id}screen`;
  const screen: Participant = {
    id,
    session: session.id,
    role: 'screen',
    presents: true,
    legs: [{ id, sends: ['video'], receives: [], screen: true }],
  };
  const seeing = (one: Participant): Participant => ({
    ...one,
    legs: [
      ...one.legs,
      { id: `${one.id}:from-${id}`, sends: [], receives: ['video'], from: { participant: id, screen: true } },
    ],
  });
  const participants = session.participants.map((one) => (one === owner ? one : seeing(one)));
  return { ...session, participants: [screen, ...participants] };
}

function ownerIn({ participants }: Session): Participant | undefined {
  const showing = participants.filter((one) => sendPictures([one]));
  return showing.find(({ presents }) => presents) ?? showing[0];
}
