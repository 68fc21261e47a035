import { type Coming, type Participant, participantsOf, type Session } from '../model/scenario.js';

/** Who comes and leaves together. */
export interface Party {
  /** Of the session, or of the one member of a session that stays. */
  readonly id: string;
  readonly session: string;
  readonly participants: readonly Participant[];
}

export interface WhoComes {
  /** There before anybody comes, and to the end: who presents in a session that stays. */
  readonly residents: readonly Participant[];
  /** In the order in which they are due. */
  readonly parties: readonly Party[];
}

/** Sessions of sentinels are none of those who come. */
export function whoComes(all: readonly Session[], who: Coming['who']): WhoComes {
  const sessions = all.filter(({ participants }) => !participants.some(({ sentinel }) => sentinel));
  if (who === 'sessions') {
    return {
      residents: [],
      parties: sessions.map(({ id, participants }) => ({ id, session: id, participants })),
    };
  }
  const comersOf = ({ participants }: Session) => participants.filter(({ presents }) => presents !== true);
  const rooms = sessions.map(comersOf);
  const longest = rooms.reduce((most, { length }) => Math.max(most, length), 0);
  // Into each session in turn, so that all of them are as full at any time.
  const inTurn = Array.from({ length: longest }, (_, nth) => rooms.flatMap((room) => room[nth] ?? [])).flat();
  return {
    residents: participantsOf(sessions).filter(({ presents }) => presents === true),
    parties: inTurn.map((one) => ({ id: one.id, session: one.session, participants: [one] })),
  };
}
