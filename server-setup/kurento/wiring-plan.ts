import {
  type Leg,
  type MediaKind,
  type Participant,
  type ReceivedStream,
  receivedStreams,
  type Session,
} from '../../model/scenario.js';

/** Media of one kind flows from the endpoint of one leg to that of another. */
export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly kind: MediaKind;
}

/**
 * Which legs of a forwarding session feed which: the leg with which the source sends feeds every leg that receives from it.
 * Throws nothing: a source that sends no such kind is left out, and the probe then misses the stream by name.
 */
export function relationsOf(session: Session): readonly Relation[] {
  return session.participants.flatMap((participant) =>
    participant.legs.flatMap((leg) => receivedStreams(leg).flatMap((stream) => relationTo(session, leg, stream))),
  );
}

function relationTo(session: Session, leg: Leg, { kind, from: source }: ReceivedStream): readonly Relation[] {
  if (source === undefined || !('participant' in source)) return [];
  const from = sendingLeg(session.participants, source.participant, kind);
  return from === undefined ? [] : [{ from, to: leg.id, kind }];
}

function sendingLeg(participants: readonly Participant[], id: string, kind: MediaKind): string | undefined {
  return participants.find((participant) => participant.id === id)?.legs.find((leg) => leg.sends.includes(kind))?.id;
}
