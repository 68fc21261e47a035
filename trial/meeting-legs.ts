import type { Leg, MediaKind, Participant } from '../model/scenario.js';

interface Member {
  /** The ids of all legs of which it is one end. */
  readonly legs: Set<string>;
  /** Members who are joining, and make legs to it. */
  readonly joining: Set<string>;
  /** To be called when one of them is done. */
  wake?: () => void;
}

/**
 * The legs by which members who come and go receive from one another, one for each pair and way. They are made when the
 * later of the two comes, who has joined when all of them have been answered, and end when the first of the two leaves.
 */
export class MeetingLegs {
  private readonly rooms = new Map<string, Map<string, Member>>();
  private readonly leaving = new Set<Member>();

  constructor(private readonly kinds: readonly MediaKind[]) {}

  /** All legs that come with a member: its own, its receiving ones, and the others' that receive from it. */
  come({ id, session, legs }: Participant): readonly Leg[] {
    const room = this.roomOf(session);
    const one: Member = { legs: new Set(legs.map((leg) => leg.id)), joining: new Set() };
    const made = [...room].flatMap(([otherId, other]) => {
      const both = [this.leg(id, otherId), this.leg(otherId, id)];
      for (const leg of both) for (const end of [one, other]) end.legs.add(leg.id);
      other.joining.add(id);
      return both;
    });
    room.set(id, one);
    return [...legs, ...made];
  }

  /** It has been answered, or has failed. */
  joined({ id, session }: Participant): void {
    for (const member of this.roomOf(session).values()) done(member, id);
    for (const member of this.leaving) done(member, id);
  }

  /**
   * From now on nobody meets it. Resolves with the ids of its legs when those who are joining, and make legs to it, are
   * done: a leg that ended under their hands would be counted against them.
   */
  async leave({ id, session }: Participant): Promise<readonly string[]> {
    const room = this.roomOf(session);
    const one = room.get(id);
    if (!one) return [];
    room.delete(id);
    this.leaving.add(one);
    while (one.joining.size > 0) {
      await new Promise<void>((resolve) => {
        one.wake = resolve;
      });
    }
    this.leaving.delete(one);
    for (const other of [...room.values(), ...this.leaving]) for (const leg of one.legs) other.legs.delete(leg);
    return [...one.legs];
  }

  private roomOf(session: string): Map<string, Member> {
    const room = this.rooms.get(session) ?? new Map<string, Member>();
    this.rooms.set(session, room);
    return room;
  }

  private leg(to: string, from: string): Leg {
    return { id: `${to}:from-${from}`, sends: [], receives: this.kinds, from: { participant: from } };
  }
}

function done(member: Member, id: string): void {
  member.joining.delete(id);
  member.wake?.();
}
