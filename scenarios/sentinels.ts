import { given } from '../model/given.js';
import { type Leg, type Participant, participantsOf, type Scenario, type Session } from '../model/scenario.js';

/** In front of the ids of those who come, which begin with a number. */
const mark = 's';

/** The fewest whole sessions with so many participants, with names that differ from all others. */
export function sentinelSessions(scenario: Scenario, count: number): readonly Session[] {
  let size = scenario.baselineSize;
  while (participantsOf(scenario.sessions(size)).length < count) size += 1;
  return scenario.sessions(size).map(marked);
}

function marked(session: Session): Session {
  const participants = session.participants.map(
    (one): Participant => ({
      ...one,
      id: mark + one.id,
      session: mark + one.session,
      sentinel: true,
      legs: one.legs.map(markedLeg),
    }),
  );
  return { ...session, id: mark + session.id, participants };
}

/** A leg is named after its participant, and after whom it brings. */
function markedLeg({ id, from, ...leg }: Leg): Leg {
  const named = id.replace(/^[^:]*/, (own) => mark + own).replace(':from-', `:from-${mark}`);
  if (from === undefined) return { id: named, ...leg };
  if ('map' in from) return { id: named, ...leg, from: from.map(markedSource) };
  return { id: named, ...leg, from: 'mix' in from ? from : markedSource(from) };
}

function markedSource<T extends { readonly participant: string; readonly stream?: string }>(source: T): T {
  const { participant, stream } = source;
  return { ...source, participant: mark + participant, ...given({ stream: stream && mark + stream }) };
}
