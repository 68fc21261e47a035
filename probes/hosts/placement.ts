import type { HostSpread } from '../../model/plan.js';
import type { ProbeHostId } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';

/** A host that probes can be placed on. */
export interface RoomyHost {
  readonly id: ProbeHostId;
  readonly place?: string;
  readonly cores: number;
  /** Probes of the kinds that are asked for, as it was measured; absent: nobody knows. */
  readonly carries?: number;
}

interface Pile {
  readonly weight: number;
  count: number;
}

interface HostPile extends Pile {
  readonly host: RoomyHost;
}

/**
 * Which host plays each participant, by its id. A function of its arguments: trials of one size are placed alike.
 *
 * `even`: each host gets its share by what it can carry, and neighbours in the list go to different ones.
 * `pack`: one host is filled with what it was measured to carry before the next is used.
 * `sessions-together`: the same shares as `even`, with all members of a session on one host.
 * `by-place`: each place gets the same share, and within it each host its own.
 */
export function placed(
  participants: readonly Participant[],
  hosts: readonly RoomyHost[],
  spread: HostSpread,
): ReadonlyMap<string, ProbeHostId> {
  const weigh = weightsOf(hosts);
  const piles: readonly HostPile[] = hosts.map((host) => ({ host, weight: weigh(host), count: 0 }));
  const places = placesOf(piles);
  const choice = new Map<string, ProbeHostId>();
  for (const group of spread === 'sessions-together' ? sessionsOf(participants) : participants.map((one) => [one])) {
    const more = group.length;
    const among = spread === 'by-place' ? (emptiest(places, more)?.piles ?? []) : piles;
    const packed = spread === 'pack' ? among.find(({ host, count }) => count < (host.carries ?? 0)) : undefined;
    const pile = packed ?? emptiest(among, more);
    if (!pile) continue;
    for (const one of [pile, ...places.filter(({ piles: own }) => own.includes(pile))]) {
      one.count += more;
    }
    for (const { id } of group) choice.set(id, pile.host.id);
  }
  return choice;
}

/**
 * Where they come and go, and so many are there at a time: in the order in which they come, so that all hosts are as
 * full at any time. `pack`: on as few hosts as were measured to carry those.
 */
export function placedComing(
  participants: readonly Participant[],
  hosts: readonly RoomyHost[],
  { spread, atOnce }: { readonly spread: HostSpread; readonly atOnce: number },
): ReadonlyMap<string, ProbeHostId> {
  if (spread !== 'pack') return placed(participants, hosts, spread);
  return placed(participants, fewest(hosts, atOnce), 'even');
}

/** All, where those that were measured do not carry so many. */
function fewest(hosts: readonly RoomyHost[], probes: number): readonly RoomyHost[] {
  const few: RoomyHost[] = [];
  let left = probes;
  for (const host of hosts) {
    if (host.carries === undefined) continue;
    few.push(host);
    left -= host.carries;
    if (left <= 0) return few;
  }
  return hosts;
}

/** By what they carry, where that is known of all; else by their cores, which is an estimate. */
function weightsOf(hosts: readonly RoomyHost[]): (host: RoomyHost) => number {
  const isMeasured = hosts.every(({ carries }) => carries !== undefined && carries > 0);
  return ({ carries = 1, cores }) => (isMeasured ? carries : cores);
}

function placesOf(piles: readonly HostPile[]): readonly (Pile & { readonly piles: readonly HostPile[] })[] {
  const names = [...new Set(piles.map(({ host }) => host.place))];
  return names.map((name) => ({
    weight: 1,
    count: 0,
    piles: piles.filter(({ host }) => host.place === name),
  }));
}

/** The one that is least full when so many more are on it; the first of several. */
function emptiest<P extends Pile>(piles: readonly P[], more: number): P | undefined {
  const fill = ({ count, weight }: Pile) => (count + more) / weight;
  return piles.reduce<P | undefined>((best, pile) => (best && fill(pile) >= fill(best) ? best : pile), undefined);
}

function sessionsOf(participants: readonly Participant[]): readonly (readonly Participant[])[] {
  const sessions = new Map<string, Participant[]>();
  for (const one of participants) sessions.set(one.session, [...(sessions.get(one.session) ?? []), one]);
  return [...sessions.values()];
}
