import type { Leg, MediaSender, Session } from '../model/scenario.js';

/** The same session with each leg changed. */
export function eachLeg(session: Session, change: (leg: Leg, participant: string) => Leg): Session {
  const participants = session.participants.map((one) => ({
    ...one,
    legs: one.legs.map((leg) => change(leg, one.id)),
  }));
  return { ...session, participants };
}

/** The same leg with more said of each participant that it receives from; what is mixed is of nobody. */
export function withSources(leg: Leg, said: (source: MediaSender) => Partial<MediaSender>): Leg {
  const { from } = leg;
  if (from === undefined) return leg;
  if ('map' in from) return { ...leg, from: from.map((source) => ({ ...source, ...said(source) })) };
  return { ...leg, from: 'mix' in from ? from : { ...from, ...said(from) } };
}
