import { arrivalTimes, stayTimes } from '../analysis/arrivals/arrival-times.js';
import { type ArrivalsPlan, leadInMs, stormAfterMs, stormSize } from '../model/arrivals.js';
import type { Coming, Participant, Session } from '../model/scenario.js';
import { type Party, type WhoComes, whoComes } from './who-comes.js';

/** Who is due when in one trial, and how long each stays. Nothing that happens changes it. */
export interface ArrivalSchedule extends WhoComes {
  /** By the id of each who takes part in it. */
  readonly partyOf: ReadonlyMap<string, Party>;
  /** When each participant is due, from when the first are. */
  readonly afterMs: ReadonlyMap<string, number>;
  /** By party. */
  readonly stayMs: ReadonlyMap<string, number>;
  /** How many of these are there at a time at most, if none takes longer to join and to leave than usual. */
  readonly atOnce: (among: readonly Participant[]) => number;
  /** The last of the parties, when they come all at once. */
  readonly storm?: { readonly afterMs: number; readonly participants: ReadonlySet<string> };
}

export function arrivalSchedule(
  sessions: readonly Session[],
  coming: Coming | undefined,
  arrivals: ArrivalsPlan,
  { size, measureMs }: { readonly size: number; readonly measureMs: number },
): ArrivalSchedule {
  const who = whoComes(sessions, coming?.who ?? 'sessions');
  const { parties } = who;
  const atOnce = stormSize(size, arrivals);
  const evenly = parties.length - atOnce;
  const overMs = leadInMs(arrivals) + measureMs;
  const times = arrivalTimes({ ...arrivals, count: evenly, overMs, everyMs: arrivals.perMs / size });
  const stays = stayTimes(arrivals, parties.length);
  const stormMs = leadInMs(arrivals) + stormAfterMs(measureMs);
  const each = <T>(of: (party: Party, index: number) => T) =>
    new Map(parties.flatMap((party, index) => party.participants.map(({ id }) => [id, of(party, index)] as const)));
  const storm = new Set(parties.slice(evenly).flatMap(({ participants }) => participants.map(({ id }) => id)));
  const afterMs = each((_, index) => times[index] ?? stormMs);
  const stayMs = new Map(parties.map(({ id }, index) => [id, stays[index] ?? arrivals.holdMs]));
  return {
    ...who,
    partyOf: each((party) => party),
    // All of a party are due together.
    afterMs,
    stayMs,
    atOnce: (among) => mostAtOnce(among, { parties, afterMs, stayMs }),
    ...(atOnce === 0 ? {} : { storm: { afterMs: stormMs, participants: storm } }),
  };
}

/** Overlap while a leaver and a newcomer both hold a place. */
const joiningMs = 2000;

function mostAtOnce(
  among: readonly Participant[],
  { parties, afterMs, stayMs }: Pick<ArrivalSchedule, 'parties' | 'afterMs' | 'stayMs'>,
): number {
  const asked = new Set(among.map(({ id }) => id));
  const changes = parties.flatMap(({ id, participants }) => {
    const from = afterMs.get(participants[0]?.id ?? '') ?? 0;
    const count = participants.filter((one) => asked.has(one.id)).length;
    return [
      { atMs: from, count },
      { atMs: from + joiningMs + (stayMs.get(id) ?? 0), count: -count },
    ];
  });
  let [now, most] = [0, 0];
  for (const { count } of changes.sort((a, b) => a.atMs - b.atMs)) {
    now += count;
    most = Math.max(most, now);
  }
  return most;
}
