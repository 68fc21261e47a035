import { type Participant, sourcesOf } from '../model/scenario.js';

export interface ProbeStart {
  /** After the first participant's start. */
  readonly startMs: number;
  /** How long after its own start the last participant it receives from starts; 0 when that is already there. */
  readonly sourcesMs: number;
}

/**
 * When each participant starts, and how long it must wait for those whose media it expects. Of a mix, something comes
 * as soon as there is one other member.
 */
export function startSchedule(participants: readonly Participant[], pacePerSecond: number): readonly ProbeStart[] {
  const startMs = (index: number): number => (index * 1000) / pacePerSecond;
  const indexes = new Map(participants.map((participant, index) => [participant.id, index]));
  const firstOther = firstOthers(participants);
  return participants.map((participant, index) => {
    const waits = participant.legs.flatMap((leg) => {
      if (leg.receives.length === 0) return [];
      return sourcesOf(leg).flatMap((from) => {
        const source = 'mix' in from ? firstOther(index) : indexes.get(from.participant);
        return source === undefined ? [] : [startMs(source) - startMs(index)];
      });
    });
    return { startMs: startMs(index), sourcesMs: Math.max(0, ...waits) };
  });
}

/** By the pace as well, where nobody knows who receives from whom: each waits for the last one of its session. */
export function afterLastOfSession(participants: readonly Participant[], pacePerSecond: number): readonly ProbeStart[] {
  const startMs = (index: number): number => (index * 1000) / pacePerSecond;
  const last = new Map(participants.map(({ session }, index) => [session, index]));
  return participants.map(({ session }, index) => ({
    startMs: startMs(index),
    sourcesMs: startMs(last.get(session) ?? index) - startMs(index),
  }));
}

/** The starts of a part are told to its player, since its participants' sources may be in another part. */
export type GivenStarts = ReadonlyMap<string, ProbeStart>;

export function startsOf(
  participants: readonly Participant[],
  { pacePerSecond, starts }: { readonly pacePerSecond: number; readonly starts?: GivenStarts },
): readonly ProbeStart[] {
  if (!starts) return startSchedule(participants, pacePerSecond);
  return participants.map(({ id }) => starts.get(id) ?? { startMs: 0, sourcesMs: 0 });
}

/** Of each participant, the index of the first other one of its session; `undefined` where it is alone. */
function firstOthers(participants: readonly Participant[]): (index: number) => number | undefined {
  const firstTwo = new Map<string, number[]>();
  for (const [index, { session }] of participants.entries()) {
    const known = firstTwo.get(session);
    if (!known) firstTwo.set(session, [index]);
    else if (known.length < 2) known.push(index);
  }
  return (index) => firstTwo.get(participants[index]?.session ?? '')?.find((one) => one !== index);
}
