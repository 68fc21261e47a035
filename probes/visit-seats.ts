import type { Participant } from '../model/scenario.js';

export interface VisitSeat {
  /** Which of a trial's participants it is, from 0: so the row of its user. */
  readonly nth: number;
  /** From 0, within its session. */
  readonly index: number;
}

/** Of all participants of a trial, wherever each is played. */
export function visitSeats(participants: readonly Participant[]): Readonly<Record<string, VisitSeat>> {
  const counts = new Map<string, number>();
  const seats = participants.map(({ id, session }, nth) => {
    const index = counts.get(session) ?? 0;
    counts.set(session, index + 1);
    return [id, { nth, index }] as const;
  });
  return Object.fromEntries(seats);
}
